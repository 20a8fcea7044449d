import { instant } from '@lyceum/contracts';
import type { Collection, Condition, Documents, Page, Query } from '@lyceum/documents';
import { z } from 'zod';
import { listQuery } from './paging.ts';

const ids = z
  .string()
  .max(100 * 44)
  .transform((list) => list.split(','))
  .pipe(z.array(z.string().min(1).max(64)).min(1).max(100))
  .meta({ description: 'At most 100 ids, separated by commas.' });

/** The query parameters that every list of things has: a page, times, ids and the order, newest first by default. */
export const listFilters = {
  ...listQuery,
  created_after: instant().optional(),
  created_before: instant().optional(),
  updated_after: instant().optional(),
  ids: ids.optional(),
  sort: z.enum(['created_at', '-created_at']).default('-created_at'),
} as const;

interface Filters {
  readonly created_after?: string | undefined;
  readonly created_before?: string | undefined;
  readonly updated_after?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly sort: 'created_at' | '-created_at';
}

/** The condition for a filter that was given; none for one that was not. */
export const given = <T>(value: T | undefined, condition: (value: T) => Condition): readonly Condition[] =>
  value === undefined ? [] : [condition(value)];

/**
 * The status that a list is asked for. What is archived is out of the way: without a status it is left out.
 * `statuses`: all that the thing can have.
 */
export const statusCondition = (asked: string | undefined, statuses: readonly string[]): Condition =>
  asked === undefined
    ? { field: 'status', in: statuses.filter((status) => status !== 'archived') }
    : { field: 'status', is: asked };

/** What `listFilters` ask of the fields `created_at`, `updated_at` and `id`. */
export const filterConditions = (asked: Omit<Filters, 'sort'>): readonly Condition[] => [
  ...given(asked.created_after, (above) => ({ field: 'created_at', above })),
  ...given(asked.created_before, (below) => ({ field: 'created_at', below })),
  ...given(asked.updated_after, (above) => ({ field: 'updated_at', above })),
  ...given(asked.ids, (all) => ({ field: 'id', in: all })),
];

/** The order that `listFilters` ask for. */
export const orderOf = ({ sort }: Filters) => ({ field: 'created_at', descending: sort === '-created_at' });

/**
 * One page of the rows that fulfil any of several lists of conditions, each row once, in one order. Right, because the
 * page of each alternative holds its own first `limit` rows.
 */
export async function queryAny(
  documents: Documents,
  collection: Collection,
  school: string,
  alternatives: readonly (readonly Condition[])[],
  query: Omit<Query, 'where' | 'sort'> & { readonly sort: NonNullable<Query['sort']> },
): Promise<Page> {
  const pages = await Promise.all(
    alternatives.map((where) => documents.query(collection, school, { ...query, where })),
  );
  if (pages.length === 1) return pages[0]!;
  const { field, descending } = query.sort;
  const rows = [...new Map(pages.flatMap((page) => page.items).map((row) => [row.id, row])).values()];
  const key = ({ body, id }: (typeof rows)[number]): string => `${String(body[field])} ${id}`;
  rows.sort((one, other) => (key(one) < key(other) ? -1 : 1) * (descending ? -1 : 1));
  return { items: rows.slice(0, query.limit), more: rows.length > query.limit || pages.some((page) => page.more) };
}
