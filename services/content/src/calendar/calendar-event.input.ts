import { changesIn } from '@lyceum/service';
import type { KnownSchool } from '../schools/known-school.ts';
import type { EventPrice, Material, StoredFields } from './calendar-event.events.ts';
import type { ChangeEventBody, CreateEventBody } from './calendar-event.schema.ts';
import type { CalendarEventChanges } from './calendar-event.ts';

/** What null clears a field to, where that is not null itself. */
const cleared: Readonly<Record<string, unknown>> = { description: [], lecturer_ids: [], waitlist: true, materials: [] };

/** What a client names that is kept otherwise than it is named. */
export interface NamedFiles {
  readonly cover?: string | null;
  readonly materials?: readonly Material[];
}

type PriceInput = ChangeEventBody['price'];

/** Nothing to pay is no price. */
const priceOf = (said: NonNullable<PriceInput> | null, { currency }: Pick<KnownSchool, 'currency'>): EventPrice =>
  said === null || said.amount === 0 ? null : { amount: said.amount, currency: said.currency ?? currency };

/** The changes that a merge patch asks for. */
export function changesOf(
  body: ChangeEventBody,
  school: Pick<KnownSchool, 'currency'>,
  files: NamedFiles = {},
): CalendarEventChanges {
  const { price, cover: _cover, materials: _materials, ...rest } = body;
  const changes: CalendarEventChanges = { ...changesIn(rest, cleared), ...(files as Partial<StoredFields>) };
  return price === undefined ? changes : { ...changes, price: priceOf(price, school) };
}

/** A new event from what the client said; the rest is blank. */
export function newEvent(body: CreateEventBody, school: KnownSchool, files: NamedFiles) {
  const { title, starts_at, ends_at, ...said } = body;
  const { slug: _slug, capacity = null, ...stated } = changesOf(said, school, files);
  const fields: StoredFields = {
    title,
    summary: null,
    description: [],
    timezone: school.timezone,
    mode: 'online',
    venue: null,
    lecturer_ids: [],
    course_id: null,
    registration_closes_at: null,
    waitlist: true,
    join_url: null,
    price: null,
    materials: [],
    cover: null,
    ...stated,
  };
  return { fields, times: { starts_at, ends_at }, capacity };
}
