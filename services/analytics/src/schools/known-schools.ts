import type { FactOf } from '@lyceum/contracts';
import { startOfDay } from '@lyceum/kernel';
import type { Arrival } from '@lyceum/service';
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

/** What is known of schools, from the integration events of the school service: the calendar that each counts in. */
export class KnownSchools {
  readonly #schools = new Map<string, School>();

  apply({ tenant, at, fact }: Pick<Arrival, 'tenant' | 'at' | 'fact'>): void {
    if (fact.type !== 'SchoolProvisioned' && fact.type !== 'SchoolChanged') return;
    const { currency, timezone } = fact.data as Told['data'];
    // A school is told of from its beginning, also when the history is read again.
    const provisioned = fact.type === 'SchoolProvisioned';
    const zones = provisioned ? [{ from: -Infinity, timezone: timezone ?? 'UTC' }] : this.#of(tenant).zones;
    const school = { zones, currency: currency ?? this.#of(tenant).currency };
    this.#schools.set(tenant, timezone === undefined ? school : withZone(school, timezone, Date.parse(at)));
  }

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
