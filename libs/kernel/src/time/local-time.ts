import { BoundedMap } from '../bounded-map.ts';

const day = 86_400_000;
const hour = 3_600_000;

/** Making a format takes long, and schools use few time zones. */
const formats = new BoundedMap<string, Intl.DateTimeFormat>(500);

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, made);
  return made;
}

/** Whether it is the name of a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    return formatIn(name) !== undefined;
  } catch {
    return false;
  }
}

/** What clocks in a time zone show at an instant, as the instant at which clocks in UTC show the same. */
function shownAt(instant: number, timeZone: string): number {
  const shown: Record<string, number> = {};
  for (const { type, value } of formatIn(timeZone).formatToParts(instant)) shown[type] = Number(value);
  const { year = 0, month = 1, day: date = 1, hour: hours = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, date, hours, minute, second) + (((instant % 1_000) + 1_000) % 1_000);
}

const offsetAt = (instant: number, timeZone: string): number => shownAt(instant, timeZone) - instant;

/**
 * The instant at which clocks in a time zone show this. A time that the clocks show twice means the first; one that they
 * skip is as much later as they skip, as in RFC 5545 §3.3.5.
 */
function instantOf(shown: number, timeZone: string): number {
  // Time zones are at most 12 hours behind UTC and 14 before it.
  const before = shown - offsetAt(shown - 14 * hour, timeZone);
  if (shownAt(before, timeZone) === shown) return before;
  const after = shown - offsetAt(shown + 12 * hour, timeZone);
  return shownAt(after, timeZone) === shown ? after : before;
}

/**
 * The instant so many calendar days later at the same local time of an IANA time zone, be it summer time there or not. All
 * instants are in milliseconds. Throws a RangeError for an unknown time zone.
 */
export const daysLater = (instant: number, days: number, timeZone: string): number =>
  instantOf(shownAt(instant, timeZone) + days * day, timeZone);

/**
 * The instant so many calendar months later at the same local time and day of the month in an IANA time zone; in a month
 * without that day, on its last one. Count from the first instant rather than from the one before: a month after
 * 28 February, which was a month after 31 January, is 28 March. Milliseconds. Throws a RangeError for an unknown time zone.
 */
export function monthsLater(instant: number, months: number, timeZone: string): number {
  const shown = shownAt(instant, timeZone);
  const date = new Date(shown);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const midnight = Date.UTC(year, month, Math.min(date.getUTCDate(), last));
  return instantOf(midnight + shown - Math.floor(shown / day) * day, timeZone);
}

/** The number of the calendar day that it is in an IANA time zone at an instant in milliseconds; 0 is 1 January 1970. */
export const localDay = (instant: number, timeZone: string): number => Math.floor(shownAt(instant, timeZone) / day);

/** The most by which `daysLater` differs from so many times 24 hours: zones have left out, or repeated, a whole day. */
export const mostShift = 26 * hour;

/** The instant, in milliseconds, at which a calendar day begins in an IANA time zone; days are numbered as by `localDay`. */
export const startOfDay = (number: number, timeZone: string): number => instantOf(number * day, timeZone);
