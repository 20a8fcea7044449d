import type { FactOf } from '@lyceum/contracts';
import { type Collection, type Document, type Documents, type Projection, eventGuard, rowAs } from '@lyceum/documents';
import type { KnownItem } from './item.ts';

const events: Collection = { name: 'calendar-events', version: 1, fields: {} };

/** What is known of an event of the calendar. */
interface EventRow {
  readonly status: KnownItem['status'];
  readonly title: string;
  readonly slug: string;
  readonly price: { readonly amount: number; readonly currency: string } | null;
  readonly capacity: number | null;
  readonly closes_at: string | null;
}

type EventFact = Extract<
  FactOf<'content'>,
  { type: 'EventCreated' | 'EventCapacityChanged' | 'EventShown' | 'EventCanceled' | 'EventDeleted' }
>;

const isEventFact = eventGuard<EventFact>(
  'EventCreated',
  'EventCapacityChanged',
  'EventShown',
  'EventCanceled',
  'EventDeleted',
);

const unknown: EventRow = { status: 'draft', title: '', slug: '', price: null, capacity: null, closes_at: null };

function after({ type, data }: EventFact, before: EventRow): EventRow | null {
  switch (type) {
    case 'EventCreated':
    case 'EventCapacityChanged':
      return { ...before, capacity: data.capacity };
    case 'EventShown': {
      const { title, slug, price, closes_at } = data;
      return { ...before, status: 'published', title, slug, price, closes_at };
    }
    case 'EventCanceled':
      return { ...before, status: 'archived' };
    case 'EventDeleted':
      return null;
  }
}

/** What the service knows of the events of calendars, from the integration events of the content service. */
export const eventProjection: Projection = {
  collection: events,
  key: (fact) => (isEventFact(fact) ? fact.data.event_id : undefined),
  project(fact, before): Document | null {
    if (!isEventFact(fact)) return before ?? null;
    const next = after(fact, rowAs<EventRow>(before) ?? unknown);
    return next && { ...next };
  },
};

/** An event as something that is sold, or given away; undefined while nothing is known of it. */
export async function knownEvent(
  { documents }: { readonly documents: Pick<Documents, 'get'> },
  school: string,
  id: string,
): Promise<KnownItem | undefined> {
  const row = rowAs<EventRow>(await documents.get(events, school, id));
  if (!row) return undefined;
  const { status, title, slug, price, capacity, closes_at } = row;
  return {
    item_type: 'event',
    status,
    title,
    slug,
    access: price === null ? 'free' : 'paid',
    prices: price === null ? [] : [{ id: 'price', ...price }],
    listed: true,
    access_days: null,
    seat_limit: capacity,
    opens_at: null,
    closes_at,
    presale_opens_at: null,
  };
}
