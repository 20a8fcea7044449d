import type { FactOf } from '@lyceum/contracts';
import { type Collection, type Document, type Documents, type Projection, eventGuard, rowAs } from '@lyceum/documents';
import type { ItemPrice, KnownItem } from './item.ts';
import { knownEvent } from './known-events.ts';

export type { KnownItem } from './item.ts';

const items: Collection = { name: 'items', version: 1, fields: {} };

const types = [
  'CourseShown',
  'CourseUnpublished',
  'CourseArchived',
  'EnrollmentPeriodSet',
  'SeatLimitChanged',
  'DigitalProductShown',
  'DigitalProductUnpublished',
  'DigitalProductArchived',
  'PriceSet',
  'PriceRemoved',
] as const;

type ItemFact = Extract<FactOf<'catalog'>, { type: (typeof types)[number] }>;

const isItemFact = eventGuard<ItemFact>(...types);

/** What an event is about. */
function itemOf({ data }: ItemFact): { readonly id: string; readonly item_type: 'course' | 'digital_product' } {
  if ('course_id' in data) return { id: data.course_id, item_type: 'course' };
  if ('product_id' in data) return { id: data.product_id, item_type: 'digital_product' };
  return { id: data.item_id, item_type: data.item_type };
}

const unknown: Omit<KnownItem, 'item_type'> = {
  status: 'draft',
  title: '',
  slug: '',
  access: 'paid',
  prices: [],
  listed: false,
  access_days: null,
  seat_limit: null,
  opens_at: null,
  closes_at: null,
  presale_opens_at: null,
};

const without = (prices: readonly ItemPrice[], id: string): readonly ItemPrice[] =>
  prices.filter((price) => price.id !== id);

/** The item after an event. */
function after({ type, data }: ItemFact, before: KnownItem): KnownItem {
  switch (type) {
    case 'CourseShown': {
      const { slug, title, access, listed, prices, seat_limit, access_days } = data;
      return { ...before, status: 'published', slug, title, access, listed, prices, seat_limit, access_days };
    }
    case 'DigitalProductShown': {
      const { slug, title, access, prices } = data;
      return { ...before, status: 'published', slug, title, access, listed: true, prices };
    }
    case 'EnrollmentPeriodSet': {
      const { opens_at = before.opens_at, closes_at = before.closes_at } = data;
      const { presale_opens_at = before.presale_opens_at } = data;
      return { ...before, opens_at, closes_at, presale_opens_at };
    }
    case 'SeatLimitChanged':
      return { ...before, seat_limit: data.seat_limit };
    case 'PriceSet': {
      const { price_id: id, amount, currency } = data;
      const price = { id, amount, currency };
      const isThere = before.prices.some((each) => each.id === id);
      const prices = isThere ? before.prices.map((each) => (each.id === id ? price : each)) : [...before.prices, price];
      return { ...before, prices };
    }
    case 'PriceRemoved':
      return { ...before, prices: without(before.prices, data.price_id) };
    case 'CourseUnpublished':
    case 'DigitalProductUnpublished':
      return { ...before, status: 'unpublished' };
    case 'CourseArchived':
    case 'DigitalProductArchived':
      return { ...before, status: 'archived' };
  }
}

/** What the service knows of what can be sold, from the integration events of the catalog service. */
export const itemProjection: Projection = {
  collection: items,
  key: (fact) => (isItemFact(fact) ? itemOf(fact).id : undefined),
  project(fact, before): Document | null {
    if (!isItemFact(fact)) return before ?? null;
    const known = rowAs<KnownItem>(before) ?? { ...unknown, item_type: itemOf(fact).item_type };
    return { ...after(fact, known) };
  },
};

/** An item, as far as integration events have arrived; undefined when there are none of it. */
export async function knownItem(
  { documents }: { readonly documents: Pick<Documents, 'get'> },
  school: string,
  id: string,
): Promise<KnownItem | undefined> {
  if (id.startsWith('event_')) return knownEvent({ documents }, school, id);
  return rowAs<KnownItem>(await documents.get(items, school, id));
}
