import type { Slice } from '@lyceum/service';
import { studentOperations } from './student.http.ts';
import { studentProjection, studentProjectionBefore } from './student.rows.ts';

/** The enrollments of a school by its members, for the staff. */
export const studentSlice: Slice = {
  name: 'students',
  operations: studentOperations,
  projections: [studentProjection],
  previousProjections: [studentProjectionBefore],
  // Its rows are made of enrollments, which say all of it.
  personalData: [],
};
