import type { FactOf } from '@lyceum/contracts';
import { BoundedMap, startOfDay } from '@lyceum/kernel';
import type { Delivery, FollowedState, Snapshot } from '@lyceum/internal-api';
import type { Day } from '../calendar/calendar.ts';
import { dayAt } from './local-days.ts';

type Told = Extract<FactOf<'school'>, { type: 'SchoolProvisioned' | 'SchoolChanged' }>;

/** The time zone that days are counted in from an instant on. */
interface Zone {
  readonly from: number;
  readonly timezone: string;
}

interface School {
  readonly zones: readonly Zone[];
  readonly currency: string | undefined;
}

const unknown: School = { zones: [{ from: -Infinity, timezone: 'UTC' }], currency: undefined };

/** A change of the time zone counts so many milliseconds later at the earliest: by then everybody has heard of it. */
const notice = 3_600_000;

/** When a change counts: once the day is over that it is in, so that a day is counted in one time zone from its beginning. */
function countsFrom(at: number, timezone: string): number {
  const today = dayAt(at, timezone);
  const next = startOfDay(today + 1, timezone);
  return next - at >= notice ? next : startOfDay(today + 2, timezone);
}

const zoneAt = ({ zones }: School, at: number): Zone => zones.findLast(({ from }) => from <= at) ?? zones[0]!;

function withZone(school: School, timezone: string, at: number): School {
  if (school.zones.at(-1)?.timezone === timezone) return school;
  const from = countsFrom(at, zoneAt(school, at).timezone);
  const before = school.zones.filter((each) => each.from < from);
  return { ...school, zones: [...before, { from, timezone }] };
}

/** A school as it is kept over a restart. The first time zone counts from the beginning. */
interface KeptSchool {
  readonly timezone: string;
  readonly later?: readonly Zone[];
  readonly currency?: string | undefined;
}

/** Equal schools, of which there are many: those that have never had but one time zone. */
const alike = new BoundedMap<string, School>(4_096);

function schoolOf({ timezone, later = [], currency }: KeptSchool): School {
  const made = (): School => ({ zones: [{ from: -Infinity, timezone }, ...later], currency });
  if (later.length > 0) return made();
  const key = `${timezone} ${currency ?? ''}`;
  const known = alike.get(key) ?? made();
  alike.set(key, known);
  return known;
}

function keptOf({ zones: [first, ...later], currency }: School): KeptSchool {
  return { timezone: first!.timezone, ...(later.length > 0 && { later }), currency };
}

/**
 * What is known of schools, from the integration events of the school service: the calendar that each counts in. When that
 * tells everything anew, what is known stays until then: days must not be counted in UTC meanwhile.
 */
export class KnownSchools implements FollowedState<KeptSchool> {
  readonly #schools = new Map<string, School>();

  apply({ tenant, at, fact }: Pick<Delivery, 'tenant' | 'at' | 'fact'>): readonly Snapshot<KeptSchool>[] {
    if (fact.type !== 'SchoolProvisioned' && fact.type !== 'SchoolChanged') return [];
    const { currency, timezone } = fact.data as Told['data'];
    const before = this.#of(tenant);
    // A school is told of from its beginning, also when the history is read again.
    const provisioned = fact.type === 'SchoolProvisioned';
    const kept = provisioned ? { timezone: timezone ?? 'UTC' } : keptOf(before);
    const school = schoolOf({ ...kept, currency: currency ?? before.currency });
    const after = timezone === undefined ? school : withZone(school, timezone, Date.parse(at));
    this.#schools.set(tenant, after);
    return [{ id: tenant, source: 'school', isLasting: true, body: keptOf(after) }];
  }

  recall({ id, body }: Snapshot<KeptSchool>): void {
    this.#schools.set(id, schoolOf(body));
  }

  forget(): void {}

  /** The school's calendar day at an instant (RFC 3339). What is later said of the time zone leaves it as it is. */
  dayOf(tenant: string, at: string): Day {
    const instant = Date.parse(at);
    return dayAt(instant, zoneAt(this.#of(tenant), instant).timezone);
  }

  /** IANA name of the time zone that the school's days are counted in at an instant (RFC 3339). */
  timezoneAt(tenant: string, at: string): string {
    return zoneAt(this.#of(tenant), Date.parse(at)).timezone;
  }

  /** ISO 4217; undefined while nothing is known of the school. */
  currencyOf(tenant: string): string | undefined {
    return this.#of(tenant).currency;
  }

  #of(tenant: string): School {
    return this.#schools.get(tenant) ?? unknown;
  }
}

/** What the service knows beside its read models. */
export interface AnalyticsPorts {
  readonly schools: KnownSchools;
}
