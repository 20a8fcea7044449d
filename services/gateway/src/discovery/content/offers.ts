import { routes } from '@lyceum/contracts';
import { z } from 'zod';

/** Something that the school sells or gives away, as anybody may see it. */
export interface Offer {
  readonly id: string;
  readonly kind: 'course' | 'digital_product';
  readonly name: string;
  readonly slug: string;
  readonly summary: string | null;
  readonly access: string | undefined;
  readonly prices: readonly { readonly amount: number; readonly currency: string }[];
  readonly seats: string | undefined;
  readonly days: number | null;
  readonly lessons: number;
  /** RFC 3339 UTC. */
  readonly updated_at: string;
  /** Where it is read through the API, relative to the school. */
  readonly path: string;
}

/** Reads a path of a school's API as anybody may; rejects unless it answers 200. */
export type ReadApi = (path: string, query: Readonly<Record<string, string>>) => Promise<unknown>;

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
const list = z.object({ data: z.array(item), next_cursor: z.string().nullish() });

/** Where what is offered is listed, kind by kind. */
export const offerLists = [
  { kind: 'course', path: '/api/courses' },
  { kind: 'digital_product', path: '/api/digital_products' },
] as const;

/** Pages of a hundred that are read of each kind; whoever has more is read through the API. */
const mostPages = 10;

/** Everything that a school offers in public, in the order of its lists. Rejects when a list cannot be read. */
export async function readOffers(read: ReadApi): Promise<readonly Offer[]> {
  const known = offerLists.filter(({ path }) => Object.hasOwn(routes, path));
  const found = await Promise.all(known.map(({ kind, path }) => readOfferList(read, kind, path)));
  return found.flat();
}

async function readOfferList(read: ReadApi, kind: Offer['kind'], path: string): Promise<readonly Offer[]> {
  const offers: Offer[] = [];
  let after = {};
  for (let page = 0; page < mostPages; page += 1) {
    const { data, next_cursor } = list.parse(await read(path, { limit: '100', ...after }));
    offers.push(...data.map((each) => offerOf(each, kind, path)));
    if (!next_cursor) break;
    after = { cursor: next_cursor };
  }
  return offers;
}

/** A row of one of the lists as an offer; throws when it is none. */
export const offerIn = (row: unknown, { kind, path }: (typeof offerLists)[number]): Offer =>
  offerOf(item.parse(row), kind, path);

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
