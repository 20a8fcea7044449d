import type { Slice } from '@lyceum/service';
import { exportStudents } from './student.export.ts';
import { listStudents } from './student.list.ts';

/** The students of a school, page by page and as a file. */
export const studentListSlice: Slice = {
  name: 'student-lists',
  operations: (asking) => [listStudents(asking), exportStudents(asking)],
};
