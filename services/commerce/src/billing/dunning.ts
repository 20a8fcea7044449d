import { afterDays } from './period.ts';

/** How long access stays while a renewal is not paid, in days of the school's time zone. */
const graceDays = 14;

/** How long access stays after a failure that is told when the time of grace is over, in days. */
const lastDays = 3;

/** The days after the first failure on which payment is tried again. */
const retryDays = [1, 3, 7, 13] as const;

/** When the time of grace ends that began with the first failure. */
export const graceUntil = (since: string, timezone: string): string => afterDays(since, graceDays, timezone);

/**
 * When the time of grace ends after another failure. What was on its way when it was over leaves some days more to pay
 * otherwise.
 */
export const graceAfter = (until: string, now: string, timezone: string): string =>
  now < until ? until : afterDays(now, lastDays, timezone);

/**
 * The next try after a failure; null when none is left. What was missed while nothing ran is not made up for: one try
 * stands for all of them.
 */
export const nextAttempt = (since: string, now: string, timezone: string): string | null =>
  retryDays.map((days) => afterDays(since, days, timezone)).find((at) => at > now) ?? null;
