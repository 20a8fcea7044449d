import { z } from 'zod';
import { type Json } from '../../../upstream/school-api.ts';
import { successBody, rows } from '../api-result.ts';
import { courseCard } from './course-summary.ts';
import type { ListCursors } from '../list-cursor.ts';
import type { CallContext } from '../../server/server-definition.ts';
import { reading, tool } from '../tool.ts';
import { card, currency, cursor, limit, view, viewOf } from './result-fields.ts';

/** Pages of the service that one call reads at most: then it gives what it has, and a cursor. */
const mostPages = 5;

const filters = {
  query: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Words of title, summary, category or tags' }),
  category: z.string().min(1).max(60).optional(),
  lecturer_id: z.string().min(1).max(64).optional(),
  level: z.string().min(1).max(40).optional(),
  language: z.string().min(2).max(35).optional().meta({ description: 'BCP 47 tag, e.g. en' }),
  price: z
    .strictObject({
      min: z.int().min(0).optional(),
      max: z.int().min(0).optional(),
      currency: currency.optional(),
    })
    .optional()
    .meta({ description: 'In minor units of the currency, e.g. cents' }),
  free: z.boolean().optional().meta({ description: 'true: only what costs nothing' }),
  status: z
    .enum(['draft', 'published', 'archived'])
    .optional()
    .meta({ description: 'Of use to staff with courses:read' }),
  sort: z.enum(['newest', 'oldest']).default('newest'),
};

const input = z.strictObject({ ...filters, limit: limit(50, 10), cursor });

type Asked = Omit<z.output<typeof input>, 'cursor' | 'limit'>;

const facet = z.record(z.string(), z.int());

const output = z.strictObject({
  items: z.array(card),
  facets: z.strictObject({ category: facet, level: facet, language: facet }).nullable().meta({
    description: 'Courses by value, where all that match are known; else null',
  }),
  total: z.int().nullable().meta({ description: 'How many match; null where that is not known' }),
  next_cursor: z.string().nullable(),
  view,
});

/** Whether a course fits what the service does not filter by. */
function fits(course: Json, { level, language, price, free }: Asked): boolean {
  const card = course as { level?: string | null; language?: string | null; access?: string; prices?: Json[] };
  if (level !== undefined && card.level !== level) return false;
  if (language !== undefined && card.language?.split('-')[0] !== language.split('-')[0]) return false;
  const prices = card.prices ?? [];
  if (free === true && prices.length > 0) return false;
  if (free === false && prices.length === 0) return false;
  if (!price) return true;
  const amounts = prices
    .filter((each) => price.currency === undefined || each['currency'] === price.currency)
    .map((each) => Number(each['amount']));
  const all = prices.length === 0 ? [0] : amounts;
  return all.some((amount) => amount >= (price.min ?? 0) && amount <= (price.max ?? Infinity));
}

/** Whether some of what the service finds may not fit. */
const isSifted = ({ level, language, price, free }: Asked): boolean =>
  level !== undefined || language !== undefined || price !== undefined || free !== undefined;

const countBy = (items: readonly Json[], field: string): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const item of items) {
    const value = item[field];
    if (typeof value === 'string') counts[value] = (counts[value] ?? 0) + 1;
  }
  return counts;
};

interface Found {
  readonly courses: readonly Json[];
  readonly next: string | null;
  readonly bodyIfFound: string;
}

/** Reads pages of the service from a place until enough courses fit. */
export async function findCourses(
  { api, caller }: CallContext,
  asked: Asked,
  page: { readonly limit: number; readonly cursor: string | undefined },
  cursors: ListCursors,
): Promise<Found> {
  const bound = JSON.stringify([caller.school.id, caller.principal?.subject ?? '', 'search_courses', asked]);
  let { cursor, skip } = cursors.open(page.cursor, bound);
  const courses: Json[] = [];
  // What the service filters by itself is asked for by the piece.
  const most = isSifted(asked) || skip > 0 ? 100 : page.limit;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const { query: q, category, lecturer_id, status, sort } = asked;
    const order = sort === 'oldest' ? 'created_at' : '-created_at';
    const body = successBody(
      await api('/api/courses', { query: { q, category, lecturer_id, status, sort: order, limit: most, cursor } }),
      'The list of courses',
    );
    const found = rows(body);
    for (; skip < found.length; skip += 1) {
      if (!fits(found[skip]!, asked)) continue;
      if (courses.length === page.limit)
        return { courses, next: cursors.seal({ cursor, skip }, bound), bodyIfFound: String(body['view']) };
      courses.push(found[skip]!);
    }
    cursor = typeof body['next_cursor'] === 'string' ? body['next_cursor'] : undefined;
    skip = 0;
    if (cursor === undefined) return { courses, next: null, bodyIfFound: String(body['view']) };
    if (pages === mostPages - 1 || (most === page.limit && courses.length === most))
      return { courses, next: cursors.seal({ cursor, skip }, bound), bodyIfFound: String(body['view']) };
  }
  return { courses, next: null, bodyIfFound: 'anonymous' };
}

/** Finds courses. */
export const searchCourses = (cursors: ListCursors) =>
  tool({
    name: 'search_courses',
    title: 'Search courses',
    description:
      'Finds courses of this school by words, category, level, language and price, newest first. Prices are in minor units. Works without signing in; with a token that holds courses:read staff also see drafts.',
    input,
    output,
    scopes: ['courses:read'],
    annotations: reading,
    async run({ cursor: from, limit: most, ...asked }, call) {
      const { courses, next, bodyIfFound } = await findCourses(call, asked, { limit: most, cursor: from }, cursors);
      const items = courses.map((course) => courseCard(course, call.caller.school));
      const isWhole = from === undefined && next === null;
      return {
        data: {
          items,
          facets: isWhole
            ? {
                category: countBy(items, 'category'),
                level: countBy(items, 'level'),
                language: countBy(items, 'language'),
              }
            : null,
          total: isWhole ? items.length : null,
          next_cursor: next,
          view: viewOf(bodyIfFound, call, 'courses:read'),
        },
      };
    },
  });
