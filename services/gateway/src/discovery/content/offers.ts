import { routes } from '@lyceum/contracts';
import { z } from 'zod';
import type { SiteSummary } from '../site/site-summary.ts';
import type { ReadApi } from '../../upstream/school-api.ts';

const countOrAll = z.union([z.literal('all'), z.int()]).default(0);

const plan = z.object({
  kind: z.enum(['recurring', 'fixed_term', 'lifetime']),
  interval: z.enum(['month', 'year']).nullish(),
  interval_count: z.int().nullish(),
  trial_days: z.int().default(0),
  opens: z
    .object({
      courses: countOrAll,
      digital_products: countOrAll,
      posts: z.boolean().default(false),
      event_discount_percent: z.int().default(0),
    })
    .prefault({}),
});

/** What is special about a membership plan. */
export type OfferedPlan = z.output<typeof plan>;

/** Something that the school sells or gives away, as anybody may see it. */
export interface Offer {
  readonly id: string;
  readonly kind: 'course' | 'membership_plan' | 'digital_product' | 'event';
  readonly name: string;
  readonly slug: string;
  readonly summary: string | null;
  readonly access: string | undefined;
  readonly prices: readonly { readonly amount: number; readonly currency: string }[];
  readonly seats: string | undefined;
  readonly days: number | null;
  readonly lessons: number;
  /** How a membership plan is paid, and what it opens. */
  readonly plan?: OfferedPlan;
  /** When an event is. RFC 3339 UTC, and an IANA name. */
  readonly when?: { readonly starts_at: string; readonly ends_at: string; readonly timezone: string };
  /** RFC 3339 UTC. */
  readonly updated_at: string;
  /** Where it is read through the API, relative to the school. */
  readonly path: string;
}

/** Whether no seat of a course is left. A plan that nobody can subscribe to now is not sold out for that. */
export const isSoldOut = ({ kind, seats }: Pick<Offer, 'kind' | 'seats'>): boolean =>
  kind === 'course' && seats === 'none';

/** Where an offer is bought, below the school's address; undefined for what costs nothing, and for what nobody can buy now. */
export const buyingPathOf = ({
  kind,
  slug,
  prices,
  access = 'paid',
  seats,
}: Pick<Offer, 'kind' | 'slug' | 'prices' | 'access' | 'seats'>): string | undefined =>
  prices.length === 0 || access !== 'paid' || seats === 'none' ? undefined : `/checkout?item=${kind}:${slug}`;

const item = z.object({
  id: z.string(),
  title: z.string(),
  slug: z.string(),
  summary: z.string().nullish(),
  access: z.string().optional(),
  prices: z.array(z.object({ amount: z.int(), currency: z.string() })).default([]),
  seats: z.string().optional(),
  access_days: z.int().nullish(),
  lesson_count: z.int().optional(),
  updated_at: z.string(),
});
const planItem = plan.extend({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  summary: z.string().nullish(),
  price: z.object({ amount: z.int(), currency: z.string() }),
  available: z.boolean().default(true),
  updated_at: z.string(),
});
const eventItem = item.omit({ prices: true }).extend({
  price: z.object({ amount: z.int(), currency: z.string() }).nullable(),
  starts_at: z.string(),
  ends_at: z.string(),
  timezone: z.string(),
  registration: z.string().default('open'),
});
const list = z.object({ data: z.array(z.unknown()), next_cursor: z.string().nullish() });

/** Where what is offered is listed, kind by kind. */
export const offerLists = [
  { kind: 'course', path: '/api/courses' },
  { kind: 'membership_plan', path: '/api/membership_plans' },
  { kind: 'digital_product', path: '/api/digital_products' },
  // Those that are over are not offered any more.
  { kind: 'event', path: '/api/events', query: { status: 'published' } },
] as const satisfies readonly {
  readonly kind: Offer['kind'];
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
}[];

/** Pages of a hundred that are read of each kind; whoever has more is read through the API. */
const mostPages = 10;

type OfferList = (typeof offerLists)[number];

/** What a list is asked for. */
export const queryOf = (list: OfferList): Readonly<Record<string, string>> => ('query' in list ? list.query : {});

/** What a school offers in public, as far as it could be read. */
export interface ReadOffers {
  /** In the order of the lists. */
  readonly offers: readonly Offer[];
  /** The kinds whose list could not be read. */
  readonly unread: readonly Offer['kind'][];
  /** What the site of the school has; left out when that could not be read. */
  readonly site?: SiteSummary;
}

/**
 * Everything that a school offers in public. The service of one list may be away while those of others answer. Rejects with
 * what the first one says when none can be read.
 */
export async function readOffers(read: ReadApi): Promise<ReadOffers> {
  const known = offerLists.filter(({ path }) => Object.hasOwn(routes, path));
  const found = await Promise.allSettled(known.map((each) => readOfferList(read, each)));
  const [first] = found;
  if (first?.status === 'rejected' && found.every(({ status }) => status === 'rejected')) throw first.reason;
  return {
    offers: found.flatMap((each) => (each.status === 'fulfilled' ? each.value : [])),
    unread: known.flatMap(({ kind }, at) => (found[at]?.status === 'rejected' ? [kind] : [])),
  };
}

async function readOfferList(read: ReadApi, from: OfferList): Promise<readonly Offer[]> {
  const offers: Offer[] = [];
  let after = {};
  for (let page = 0; page < mostPages; page += 1) {
    const { data, next_cursor } = list.parse(await read(from.path, { limit: '100', ...queryOf(from), ...after }));
    offers.push(...data.map((each) => offerIn(each, from)));
    if (!next_cursor) break;
    after = { cursor: next_cursor };
  }
  return offers;
}

/** A row of one of the lists as an offer; throws when it is none. */
export function offerIn(row: unknown, { kind, path }: OfferList): Offer {
  if (kind === 'membership_plan') return planOf(planItem.parse(row), path);
  return kind === 'event' ? eventOf(eventItem.parse(row), path) : offerOf(item.parse(row), kind, path);
}

/** An event that nobody can register for any more has no seats left, as far as offers go. */
function eventOf({ price, registration, ...found }: z.output<typeof eventItem>, path: string): Offer {
  const { starts_at, ends_at, timezone } = found;
  const prices = price ? [price] : [];
  // Guests come to what costs nothing, too.
  const offer = offerOf({ ...found, prices, access: price ? 'paid' : 'open' }, 'event', path);
  const isOver = registration === 'closed' || registration === 'sold_out';
  return { ...offer, ...(isOver ? { seats: 'none' } : {}), when: { starts_at, ends_at, timezone } };
}

const offerOf = (found: z.output<typeof item>, kind: Offer['kind'], path: string): Offer => ({
  id: found.id,
  kind,
  name: found.title,
  slug: found.slug,
  summary: found.summary ?? null,
  access: found.access,
  prices: found.prices,
  seats: found.seats,
  days: found.access_days ?? null,
  lessons: found.lesson_count ?? 0,
  updated_at: found.updated_at,
  path: `${path}/${found.id}`,
});

const planOf = (found: z.output<typeof planItem>, path: string): Offer => ({
  id: found.id,
  kind: 'membership_plan',
  name: found.name,
  slug: found.slug,
  summary: found.summary ?? null,
  access: undefined,
  prices: [found.price],
  seats: found.available ? undefined : 'none',
  days: null,
  lessons: 0,
  plan: plan.parse(found),
  updated_at: found.updated_at,
  path: `${path}/${found.id}`,
});
