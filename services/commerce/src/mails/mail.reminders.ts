import { isoTime } from '@lyceum/kernel';

const day = 86_400_000;

/** A period from so long on is long enough to have been forgotten. */
const longPeriod = 350 * day;

/** When people are reminded of the end of a period that is long. Times are RFC 3339 UTC. */
export const reminderOfLong = (end: string): string => isoTime(Date.parse(end) - 21 * day);

/**
 * When people are reminded of a charge that comes at the end of a period; undefined = not at all: a shorter period is
 * one that they see on their statements. Times are RFC 3339 UTC.
 *
 * A year or longer: 21 days before, within the 15 to 45 days of Cal. Bus. & Prof. Code §17602(b)(2). A trial: 7 days before
 * its end, as card schemes want it, the day before where it is hardly longer than that.
 */
export function reminderAt(start: string, end: string, isTrial: boolean): string | undefined {
  const [begins, ends] = [Date.parse(start), Date.parse(end)];
  const length = ends - begins;
  if (isTrial) return isoTime(length > 8 * day ? ends - 7 * day : Math.max(begins, ends - day));
  return length >= longPeriod ? reminderOfLong(end) : undefined;
}
