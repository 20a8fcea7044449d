import { BoundedMap } from '@lyceum/kernel';

/** A calendar day by its number; 0 is 1 January 1970. It is of no time zone. */
export type Day = number;

/** A calendar month by its number; 0 is January of the year 0. */
export type Month = number;

const milliseconds = 86_400_000;

/** The day as ISO 8601 writes it. */
export const dateOf = (day: Day): string => new Date(day * milliseconds).toISOString().slice(0, 10);

/** The day of an ISO 8601 date. */
export const dayOfDate = (date: string): Day => Date.parse(`${date}T00:00:00.000Z`) / milliseconds;

/** The Monday on which the week of a day begins, as in ISO 8601. 1 January 1970 was a Thursday. */
export const mondayOf = (day: Day): Day => day - ((((day + 3) % 7) + 7) % 7);

/** A day's month, and the first day of that. */
interface InMonth {
  readonly month: Month;
  readonly first: Day;
}

/** Each fact asks for several, of few days. */
const inMonths = new BoundedMap<Day, InMonth>(10_000);

function inMonth(day: Day): InMonth {
  const known = inMonths.get(day);
  if (known) return known;
  const date = new Date(day * milliseconds);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
  const made = { month, first: firstOf(month) };
  inMonths.set(day, made);
  return made;
}

/** The month of a day. */
export const monthOf = (day: Day): Month => inMonth(day).month;

/** The first day of the month of a day. */
export const firstOfMonth = (day: Day): Day => inMonth(day).first;

/** The first day of a month. */
export const firstOf = (month: Month): Day => Date.UTC(Math.floor(month / 12), month % 12, 1) / milliseconds;

/** How a range of days is divided. */
export const intervals = ['day', 'week', 'month'] as const;

/** A part of a range. */
export type Interval = (typeof intervals)[number];

/** Days from `start` on, without `end`. */
export interface Period {
  readonly start: Day;
  readonly end: Day;
}

const beginnings: Readonly<Record<Interval, (day: Day) => Day>> = {
  day: (day) => day,
  week: mondayOf,
  month: firstOfMonth,
};

const following: Readonly<Record<Interval, (start: Day) => Day>> = {
  day: (start) => start + 1,
  week: (start) => start + 7,
  month: (start) => firstOf(monthOf(start) + 1),
};

/** The whole days, weeks from Monday on or months in which days of a period lie, in order. */
export function periodsOf({ start, end }: Period, interval: Interval): readonly Period[] {
  const periods: Period[] = [];
  for (let at = beginnings[interval](start); at < end; at = following[interval](at))
    periods.push({ start: at, end: following[interval](at) });
  return periods;
}
