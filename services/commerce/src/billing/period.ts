import { daysLater, isoTime, localDay, monthsLater } from '@lyceum/kernel';
import type { Terms } from './terms.ts';

/** The months of one period; 0 for life. */
export function monthsIn({ interval }: Pick<Terms, 'interval'>): number {
  if (!interval) return 0;
  return interval.unit === 'year' ? 12 * interval.count : interval.count;
}

/**
 * So many months after the anchor, from which all periods are counted: 31 January, 28 February, 31 March. Times are
 * RFC 3339 UTC; days and months are those of the school's time zone.
 */
export const periodEnd = (anchor: string, months: number, timezone: string): string =>
  isoTime(monthsLater(Date.parse(anchor), months, timezone));

/** So many calendar days later in the school's time zone. */
export const afterDays = (time: string, days: number, timezone: string): string =>
  isoTime(daysLater(Date.parse(time), days, timezone));

/** The calendar days from one time to another in the school's time zone. */
export const daysBetween = (from: string, to: string, timezone: string): number =>
  localDay(Date.parse(to), timezone) - localDay(Date.parse(from), timezone);

/** A time moved by what lies between two others. */
export const movedBy = (time: string, from: string, to: string): string =>
  isoTime(Date.parse(time) + Date.parse(to) - Date.parse(from));
