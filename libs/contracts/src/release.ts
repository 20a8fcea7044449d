import { daysLater, mostShift } from '@lyceum/kernel';
import { z } from 'zod';

/** When a section or lesson opens to somebody, as the catalog service publishes it: at once, or by its `type`. */
export const publishedRelease = z.object({
  type: z.enum(['immediate', 'after_days', 'at', 'after_lesson']),
  days: z.number().int().optional(),
  time: z.string().optional(),
  lesson_id: z.string().optional(),
});

/** A release, as it is published. */
export type PublishedRelease = z.output<typeof publishedRelease>;

/** What a release is judged by, beside the time. */
export interface Learner {
  /** RFC 3339: when the access that there is began. */
  readonly started_at: string;
  /** Ids of the lessons that are completed. */
  readonly completed: ReadonlySet<string>;
  /** IANA name of the school's time zone. */
  readonly timezone: string;
}

const day = 86_400_000;

/**
 * Whether something is open to somebody now (RFC 3339). Days are days of the school's calendar: what opens after three
 * opens at the time of day at which access began there, whatever the clocks were changed to meanwhile.
 */
export function isReleased(
  { type, days = 0, time = '', lesson_id = '' }: PublishedRelease,
  { started_at, completed, timezone }: Learner,
  now: string,
): boolean {
  const at = Date.parse(now);
  switch (type) {
    case 'immediate':
      return true;
    case 'after_days':
      return hasPassed(Date.parse(started_at), days, timezone, at);
    case 'at':
      return at >= Date.parse(time);
    case 'after_lesson':
      return completed.has(lesson_id);
  }
}

/** Looks at the calendar only where it can make a difference. */
function hasPassed(start: number, days: number, timezone: string, at: number): boolean {
  const about = start + days * day;
  if (Math.abs(at - about) > mostShift) return at > about;
  return at >= daysLater(start, days, timezone);
}
