import { snapshotCollection } from '@lyceum/internal-api';
import type { Slice } from '@lyceum/service';
import type { AnalyticsPorts } from './known-schools.ts';

/** The calendars of schools. */
export const schoolSlice: Slice<Record<never, never>, AnalyticsPorts> = {
  name: 'schools',
  operations: [],
  mirrors: [
    {
      source: 'school',
      // A release whose calendars depend on more facts has another version.
      collection: snapshotCollection('calendars', 1),
      state: ({ schools }) => schools,
    },
  ],
};
