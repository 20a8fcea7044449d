import { BoundedMap, localDay, startOfDay } from '@lyceum/kernel';
import type { Day } from '../calendar/calendar.ts';

const day = 86_400_000;

/** A day of UTC in another time zone: the local day at its beginning, and the instants in it at which others begin. */
interface UtcDay {
  readonly first: Day;
  readonly begins: readonly number[];
}

/** Asking for local times takes long, and facts are of few days. */
const known = new BoundedMap<string, UtcDay>(20_000);

function utcDay(number: number, timeZone: string): UtcDay {
  const key = `${timeZone} ${number}`;
  const found = known.get(key);
  if (found) return found;
  const first = localDay(number * day, timeZone);
  const last = localDay((number + 1) * day - 1, timeZone);
  const begins = Array.from({ length: last - first }, (_, index) => startOfDay(first + index + 1, timeZone));
  const made = { first, begins };
  known.set(key, made);
  return made;
}

/** The calendar day that it is in a time zone at an instant in milliseconds, as `localDay` says, and faster. */
export function dayAt(instant: number, timeZone: string): Day {
  const { first, begins } = utcDay(Math.floor(instant / day), timeZone);
  return first + begins.filter((begin) => begin <= instant).length;
}
