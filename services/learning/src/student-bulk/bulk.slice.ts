import type { Slice } from '@lyceum/service';
import { bulkEnroll, bulkRevoke } from './bulk.ts';

/** What the staff do for many students in one request. */
export const bulkSlice: Slice = {
  name: 'student-bulk',
  operations: (asking) => [bulkEnroll(asking), bulkRevoke],
};
