import type { Page, Query } from '@lyceum/documents';
import { z } from 'zod';
import { isImmutable, markImmutable } from '../replies/immutable.ts';
import type { Reply } from '../operations/operation.ts';

/*
 * How a slice lists, in three lines:
 *
 *   query: z.strictObject({ ...listQuery, level: z.enum(levels).optional() }),
 *   reply: listOf(courseItem),
 *   handle: async (call, { documents }) => {
 *     const sort = { field: 'title' } as const;                       // left out: by id
 *     const found = await documents.query(courses, call.school, { where, sort, ...call.page });
 *     return listReply(found, (each) => each.body, sort);
 *   },
 *
 * `mount` opens `cursor` into `call.page.after` before, and signs `next_cursor` and `Link` afterwards. A cursor is bound
 * to school, operation, view and filters: with any other it is 400 `invalid_request`.
 */

/** The query parameters of a list, to be spread into the operation's query schema. */
export const listQuery = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(20)
    .meta({ description: 'Largest number of items in the answer', example: 20 }),
  cursor: z
    .string()
    .min(1)
    .max(2048)
    .optional()
    .meta({ description: 'Where to go on: `next_cursor` of the page before, with the same filters' }),
} as const;

/** Reply schema of a list of such items. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    object: z.literal('list'),
    data: z.array(item),
    has_more: z.boolean(),
    next_cursor: z.string().nullable().meta({ description: 'Opaque; null on the last page' }),
  });

/** Where a page ends. */
export type Keyset = NonNullable<Query['after']>;

/**
 * The reply for a page of documents. `sort` is the order that the query had: it says where the next page begins, unless the
 * page says so itself, because rows behind its last one were looked at too. For a page
 * that is asked for again the body is the same, if it shows the same immutable documents.
 */
export function listReply<Item extends { readonly id: string; readonly body: Readonly<Record<string, unknown>> }>(
  page: { readonly items: readonly Item[]; readonly more: Page['more']; readonly next?: Keyset },
  toBody: (item: Item, index: number) => unknown,
  sort?: Query['sort'],
): Reply {
  const last = page.items.at(-1);
  const next = page.next ?? (page.more && last ? keysetOf(last, sort) : null);
  return { body: bodyOf(page, page.items.map(toBody), next !== null), next };
}

interface ListBody {
  readonly object: 'list';
  readonly data: readonly unknown[];
  readonly has_more: boolean;
  readonly next_cursor: null;
}

/** The bodies that pages have, by the first document that they show: each view sees others. */
const bodies = new WeakMap<object, Map<unknown, ListBody>>();

function bodyOf(page: object, data: readonly unknown[], has_more: boolean): ListBody {
  const known = bodies.get(page)?.get(data[0]);
  if (known?.data.every((document, index) => document === data[index])) return known;
  const body: ListBody = { object: 'list', data, has_more, next_cursor: null };
  if (data.length === 0 || !data.every(isImmutable)) return body;
  const ofPage = bodies.get(page) ?? new Map<unknown, ListBody>();
  bodies.set(page, ofPage.set(data[0], body));
  return markImmutable(body);
}

const keysetOf = (
  { id, body }: { id: string; body: Readonly<Record<string, unknown>> },
  sort: Query['sort'],
): Keyset => {
  const value = sort ? (body[sort.field] ?? null) : id;
  return { value: typeof value === 'string' || typeof value === 'number' ? value : null, id };
};
