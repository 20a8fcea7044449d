import type { Slice } from '@lyceum/service';
import { studentOperations } from './student.http.ts';

/** The enrollments of a school by its members, for the staff. */
export const studentSlice: Slice = { name: 'students', operations: studentOperations };
