import { isObject } from '@lyceum/kernel';
import { z } from 'zod';
import type { Json } from '../../../upstream/school-api.ts';
import { successBody, rows } from '../api-result.ts';
import type { ListCursors } from '../list-cursor.ts';
import { type OfferKind, offerKinds, offersOf, offerListOf } from './offer-rows.ts';
import type { CallContext } from '../../server/server-definition.ts';
import { reading, tool } from '../tool.ts';
import { currency, cursor, limit, listOutput, money } from './result-fields.ts';

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

/** What the school sells, one kind after the other. */
export const listOffers = (cursors: ListCursors) =>
  tool({
    name: 'list_offers',
    title: 'List offers',
    description:
      'What this school sells and what it costs, in minor units: the data of /pricing.md. Kinds come one after the other; go on with next_cursor.',
    input: z.strictObject({ kind: z.enum(offerKinds).optional(), currency: currency.optional(), cursor }),
    output: z.strictObject({ items: z.array(offer), next_cursor: z.string().nullable() }),
    scopes: ['courses:read'],
    annotations: reading,
    async run({ kind, currency: wanted, cursor: from }, call) {
      const { school, principal } = call.caller;
      const bound = JSON.stringify([school.id, principal?.subject ?? '', 'list_offers', kind, wanted]);
      const kinds = kind ? [kind] : offerKinds;
      let { cursor: inner, skip: at } = cursors.open(from, bound);
      const items: Json[] = [];
      while (at < kinds.length && items.length === 0) {
        const each: OfferKind = kinds[at]!;
        const page = await offersPage(call, each, inner);
        items.push(...page.items);
        inner = page.next;
        if (inner === undefined) at += 1;
      }
      const shown = wanted === undefined ? items : items.filter(({ price }) => isIn(price, wanted));
      const next = at < kinds.length ? cursors.seal({ cursor: inner, skip: at }, bound) : null;
      return { data: { items: shown, next_cursor: next } };
    },
  });

const isIn = (price: unknown, currencyCode: string): boolean =>
  price === null || (isObject(price) && price['currency'] === currencyCode);

async function offersPage({ api, caller }: CallContext, kind: OfferKind, cursorOfKind: string | undefined) {
  const list = offerListOf(kind);
  if (!list) return { items: [], next: undefined };
  const reply = await api(list.path, { query: { limit: 50, cursor: cursorOfKind } });
  if (reply.status === 404) return { items: [], next: undefined };
  const body = successBody(reply, 'The list of offers');
  const next = body['next_cursor'];
  const items = rows(body).flatMap((row) => offersOf(row, list, caller.school));
  return { items, next: typeof next === 'string' ? next : undefined };
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
    run: async ({ cursor: from, limit: most, ...query }, call) => ({
      data: { ...(await pageOf(call, '/api/events', query, { cursor: from, limit: most }, cursors)) },
    }),
  });

/** What the school writes. */
export const listPosts = (cursors: ListCursors) =>
  tool({
    name: 'list_posts',
    title: 'List posts',
    description: 'Public posts of this school, newest first. Empty when it writes none.',
    input: z.strictObject({ tag: z.string().min(1).max(40).optional(), limit: limit(50, 20), cursor }),
    output: listOutput,
    scopes: ['posts:read'],
    annotations: reading,
    run: async ({ cursor: from, limit: most, ...query }, call) => ({
      data: { ...(await pageOf(call, '/api/posts', query, { cursor: from, limit: most }, cursors)) },
    }),
  });
