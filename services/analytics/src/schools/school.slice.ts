import type { Slice } from '@lyceum/service';
import type { AnalyticsPorts } from './known-schools.ts';

/** The calendars of schools. */
export const schoolSlice: Slice<Record<never, never>, AnalyticsPorts> = {
  name: 'schools',
  operations: [],
  mirrors: [{ source: 'school', apply: (arrival, { schools }) => schools.apply(arrival) }],
};
