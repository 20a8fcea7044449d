import { Problem } from '@lyceum/web';
import { z } from 'zod';
import { type Day, type Interval, type Period, dayOfDate, periodsOf } from '../calendar/calendar.ts';

/** Days that may be asked for at once, and that are given where nothing is asked for. */
const [mostDays, usualDays] = [400, 30];

const date = z.iso
  .date()
  .refine((value) => value >= '2000-01-01' && value < '2200-01-01', 'must be a date of this or the next century');

/** The parameters that say of which days figures are wanted. `divided`: how a range may be divided, the usual first. */
export const rangeQuery = (divided: readonly [Interval, ...Interval[]]) => ({
  from: date.optional().meta({
    description: 'The first day, in the calendar of the school; 30 days before `to` when left out.',
    example: '2026-01-01',
  }),
  to: date.optional().meta({
    description: 'The first day that is no longer meant; tomorrow when left out. At most 400 days after `from`.',
    example: '2026-02-01',
  }),
  interval: z.enum(divided).default(divided[0]).meta({
    description: 'What a row is about. The range is widened to whole intervals; weeks begin on Monday.',
  }),
});

/** What is asked for. */
export interface AskedRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly interval: Interval;
}

/** The days that are asked for, widened to whole intervals. Throws the problem when they are too many, or none. */
export function rangeOf(
  { from, to, interval }: AskedRange,
  today: Day,
): Period & { readonly periods: readonly Period[] } {
  const end = to === undefined ? Math.max(today + 1, from === undefined ? 0 : dayOfDate(from) + 1) : dayOfDate(to);
  const start = from === undefined ? end - usualDays : dayOfDate(from);
  if (start >= end) throw unfit('to', 'must be after `from`');
  if (end - start > mostDays) throw unfit('from', `must be at most ${mostDays} days before \`to\``);
  const periods = periodsOf({ start, end }, interval);
  return { start: periods[0]!.start, end: periods.at(-1)!.end, periods };
}

const unfit = (path: string, message: string) =>
  new Problem('validation_failed', 'This range of days cannot be answered', {
    details: [{ path, code: 'out_of_range', message }],
  });
