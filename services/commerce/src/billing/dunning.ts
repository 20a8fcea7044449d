import { afterDays } from './period.ts';

/** How long access stays while a renewal is not paid, in days of the school's time zone. */
const graceDays = 14;

/** The days after the first failure on which payment is tried again. */
const retryDays = [1, 3, 7, 13] as const;

/** When the time of grace ends that began with the first failure. */
export const graceUntil = (since: string, timezone: string): string => afterDays(since, graceDays, timezone);

/**
 * The next try after a failure; null when none is left. What was missed while nothing ran is not made up for: one try
 * stands for all of them.
 */
export const nextAttempt = (since: string, now: string, timezone: string): string | null =>
  retryDays.map((days) => afterDays(since, days, timezone)).find((at) => at > now) ?? null;
