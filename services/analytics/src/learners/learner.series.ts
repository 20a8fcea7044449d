import type { Day } from '../calendar/calendar.ts';
import type { Series } from '../figures/series.ts';

/** The days of enrollments: of a course, or of all (''). */
export const enrollmentsOf = (scope: string): Series => ({ name: 'enrollments', scope });

/** The days of active students: of a course, or of all (''). */
export const activeOf = (scope: string): Series => ({ name: 'students', scope });

/** How far those came who were enrolled in a week. */
export interface FunnelRow {
  readonly enrolled: number;
  readonly started: number;
  readonly reached_25: number;
  readonly reached_50: number;
  readonly reached_75: number;
  readonly completed: number;
  /** Their access ended before they had completed. */
  readonly lapsed: number;
}

/** The id of the document of a cohort: of a course, or of all (''). */
export const funnelId = (scope: string, monday: Day): string => `funnel:${scope}:${monday}`;

/** How many came in a week, and were active in each week from it on. */
export interface RetentionRow {
  readonly students: number;
  readonly active: readonly number[];
}

/** Weeks after the first that are kept. */
export const mostWeeks = 52;

/** The id of the document of a cohort: of a course, or of all (''). */
export const retentionId = (scope: string, monday: Day): string => `retention:${scope}:${monday}`;
