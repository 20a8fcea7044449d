import { isObject } from '@lyceum/kernel';
import { z } from 'zod';
import type { Json } from '../../../upstream/school-api.ts';
import { successBody, rows } from '../api-result.ts';
import type { ListCursors } from '../list-cursor.ts';
import { mayHold } from '@lyceum/contracts';
import { couponsInForce } from './coupon-rows.ts';
import { sitePaths } from '../../../discovery/site/site-paths.ts';
import { queryOf } from '../../../discovery/content/offers.ts';
import { type OfferKind, offerKinds, offersOf, offerListOf } from './offer-rows.ts';
import type { CallContext } from '../../server/server-definition.ts';
import { reading, tool } from '../tool.ts';
import { currency, cursor, limit, listOutput, money, view, viewOf } from './result-fields.ts';

/** A page of one kind of what is sold, or of coupons. */
interface OffersPage {
  readonly items: readonly Json[];
  readonly coupons?: readonly Json[];
  readonly next: string | undefined;
  /** Who is shown it, as the service says. */
  readonly view?: unknown;
}

interface Page {
  readonly items: readonly Json[];
  readonly next_cursor: string | null;
}

/** One page of a list of the services. A list that no service has yet is empty. */
async function pageOf(
  call: CallContext,
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
  page: { readonly cursor: string | undefined; readonly limit: number },
  cursors: ListCursors,
): Promise<Page> {
  const { api, caller } = call;
  const bound = JSON.stringify([caller.school.id, caller.principal?.subject ?? '', path, query]);
  const { cursor: from } = cursors.open(page.cursor, bound);
  const reply = await api(path, { query: { ...query, limit: page.limit, cursor: from } });
  if (reply.status === 404) return { items: [], next_cursor: null };
  const body = successBody(reply, 'The list');
  const next = body['next_cursor'];
  return {
    items: rows(body),
    next_cursor: typeof next === 'string' ? cursors.seal({ cursor: next, skip: 0 }, bound) : null,
  };
}

const offer = z.strictObject({
  id: z.string(),
  kind: z.enum(offerKinds),
  subject_id: z.string(),
  slug: z.string(),
  name: z.string(),
  url: z.string(),
  checkout_url: z.string().nullable(),
  price: money.nullable().meta({ description: 'null: no price, `cost` says why' }),
  cost: z.string().meta({ description: 'What a person pays, in words' }),
  includes: z.string(),
  availability: z.string(),
  updated_at: z.string(),
});

/** The coupons that are in force come behind all that is sold. */
const kindsOfList = [...offerKinds, 'coupon'] as const;

/** Whether the caller is shown coupons: nobody else may know of them. */
const seesCoupons = ({ caller: { principal } }: CallContext): boolean =>
  principal !== undefined && principal.scopes.has('coupons:read') && mayHold(principal.role, 'coupons:read');

/** What the school sells, one kind after the other. */
export const listOffers = (cursors: ListCursors) =>
  tool({
    name: 'list_offers',
    title: 'List offers',
    description:
      'What this school sells and what it costs, in minor units: the data of /pricing.md; with coupons:read also the coupons in force. Kinds come one after the other; go on with next_cursor.',
    input: z.strictObject({ kind: z.enum(kindsOfList).optional(), currency: currency.optional(), cursor }),
    output: z.strictObject({
      items: z.array(offer),
      coupons: z.array(z.looseObject({})).optional(),
      next_cursor: z.string().nullable(),
      view,
    }),
    scopes: ['courses:read'],
    annotations: reading,
    async run({ kind, currency: wanted, cursor: from }, call) {
      const { school, principal } = call.caller;
      const bound = JSON.stringify([school.id, principal?.subject ?? '', 'list_offers', kind, wanted]);
      const kinds = (kind ? [kind] : kindsOfList).filter((each) => each !== 'coupon' || seesCoupons(call));
      let { cursor: inner, skip: at } = cursors.open(from, bound);
      let page: OffersPage = { items: [], next: undefined };
      while (at < kinds.length && page.items.length === 0 && !page.coupons?.length) {
        const each = kinds[at]!;
        page = await (each === 'coupon' ? couponsPage(call, inner) : offersPage(call, each, inner));
        inner = page.next;
        if (inner === undefined) at += 1;
      }
      const { items, coupons = [] } = page;
      const shown = wanted === undefined ? items : items.filter(({ price }) => isIn(price, wanted));
      const next = at < kinds.length ? cursors.seal({ cursor: inner, skip: at }, bound) : null;
      const taken = seesCoupons(call) ? { coupons } : {};
      const shownAs = viewOf(page.view ?? 'anonymous', call, 'courses:read', 'coupons:read');
      return { data: { items: shown, ...taken, next_cursor: next, view: shownAs } };
    },
  });

const isIn = (price: unknown, currencyCode: string): boolean =>
  price === null || (isObject(price) && price['currency'] === currencyCode);

async function offersPage(
  { api, caller }: CallContext,
  kind: OfferKind,
  cursorOfKind: string | undefined,
): Promise<OffersPage> {
  const list = offerListOf(kind);
  if (!list) return { items: [], next: undefined };
  const reply = await api(list.path, { query: { limit: 50, ...queryOf(list), cursor: cursorOfKind } });
  if (reply.status === 404) return { items: [], next: undefined };
  const body = successBody(reply, 'The list of offers');
  const next = body['next_cursor'];
  const items = rows(body).flatMap((row) => offersOf(row, list, caller.school));
  return { items, next: typeof next === 'string' ? next : undefined, view: body['view'] };
}

/** A page of the coupons that take something off a price now. */
async function couponsPage({ api }: CallContext, cursorOfKind: string | undefined): Promise<OffersPage> {
  const reply = await api('/api/coupons', { query: { status: 'active', limit: 50, cursor: cursorOfKind } });
  const body = successBody(reply, 'The list of coupons');
  const next = body['next_cursor'];
  const coupons = couponsInForce(rows(body));
  return { items: [], coupons, next: typeof next === 'string' ? next : undefined, view: body['view'] };
}

/** Dates of the school. */
export const listEvents = (cursors: ListCursors) =>
  tool({
    name: 'list_events',
    title: 'List events',
    description: 'Public events of this school: workshops, live sessions, open days. Empty when it announces none.',
    input: z.strictObject({
      starts_after: z.iso.datetime().optional(),
      starts_before: z.iso.datetime().optional(),
      limit: limit(50, 20),
      cursor,
    }),
    output: listOutput,
    scopes: ['events:read'],
    annotations: reading,
    run: async ({ cursor: from, limit: most, starts_after, starts_before }, call) => {
      const query = { starts_after, to: starts_before };
      return { data: { ...(await pageOf(call, '/api/events', query, { cursor: from, limit: most }, cursors)) } };
    },
  });

/** What the school writes. */
export const listPosts = (cursors: ListCursors) =>
  tool({
    name: 'list_posts',
    title: 'List posts',
    description:
      'Posts of this school, those that it pins first, then the newest; without their text, which school://posts/{slug} has where it is for the caller. Empty when it writes none.',
    input: z.strictObject({
      query: z.string().min(1).max(100).optional().meta({ description: 'Beginnings of words' }),
      tag: z.string().min(1).max(40).optional(),
      limit: limit(50, 20),
      cursor,
    }),
    output: listOutput,
    scopes: ['posts:read'],
    annotations: reading,
    async run({ cursor: from, limit: most, query: q, tag }, call) {
      const page = await pageOf(call, '/api/posts', { q, tag }, { cursor: from, limit: most }, cursors);
      const { baseUrl } = call.caller.school;
      const items = page.items.map((post) => ({ ...post, url: baseUrl + sitePaths.post(String(post['slug'])) }));
      return { data: { items, next_cursor: page.next_cursor } };
    },
  });
