import type { Condition, Page, Query } from '@lyceum/documents';
import { type Call, instant, line, listOf, listQuery, listReply, operation, type Ports } from '@lyceum/web';
import { z } from 'zod';
import { type Viewer, viewOf } from './course.access.ts';
import { accessKinds, opaqueId, statuses } from './course.fields.ts';
import { viewerOf } from './course.lookup.ts';
import { courses } from './course.projection.ts';
import { courseItem } from './course.schema.ts';
import { courseItemDocument, type CourseRow } from './course.view.ts';

const ids = z
  .string()
  .max(100 * 44)
  .transform((list) => list.split(','))
  .pipe(z.array(z.string().min(1).max(64)).min(1).max(100))
  .meta({ description: 'At most 100 ids, parted by commas.' });

const query = z.strictObject({
  ...listQuery,
  status: z.enum(statuses).optional(),
  access: z.enum(accessKinds).optional(),
  category: line(1, 60).optional(),
  tag: line(1, 40).optional(),
  lecturer_id: opaqueId.optional(),
  q: line(1, 100).optional().meta({ description: 'Part of title, subtitle, summary, category or a tag.' }),
  created_after: instant().optional(),
  created_before: instant().optional(),
  updated_after: instant().optional(),
  ids: ids.optional(),
  sort: z.enum(['created_at', '-created_at']).default('-created_at'),
});

type Filters = z.output<typeof query>;

const given = <T>(value: T | undefined, condition: (value: T) => Condition): readonly Condition[] =>
  value === undefined ? [] : [condition(value)];

const conditions = (asked: Filters): readonly Condition[] => [
  ...given(asked.status, (is) => ({ field: 'status', is })),
  ...given(asked.access, (is) => ({ field: 'access', is })),
  ...given(asked.category, (is) => ({ field: 'category', is })),
  ...given(asked.tag, (has) => ({ field: 'tags', has })),
  ...given(asked.lecturer_id, (has) => ({ field: 'lecturer_ids', has })),
  ...given(asked.q, (contains) => ({ field: 'search', contains })),
  ...given(asked.created_after, (above) => ({ field: 'created_at', above })),
  ...given(asked.created_before, (below) => ({ field: 'created_at', below })),
  ...given(asked.updated_after, (above) => ({ field: 'updated_at', above })),
  ...given(asked.ids, (ids) => ({ field: 'id', in: ids })),
];

/** The rows a viewer may see, as alternatives: a lecturer's are the listed ones and the own ones. */
function alternatives(viewer: Viewer): readonly (readonly Condition[])[] {
  const listed: Condition = { field: 'listed', is: true };
  if (viewer.manages === 'all') return [[]];
  if (viewer.manages === 'none' || viewer.subject === undefined) return [[listed]];
  return [[listed], [{ field: 'owners', has: viewer.subject }]];
}

/** The first `limit` of several pages in one order, each row once. Right, because each page holds its own first `limit`. */
function merged(pages: readonly Page[], { field, descending }: NonNullable<Query['sort']>, limit: number): Page {
  const rows = [...new Map(pages.flatMap((page) => page.items).map((row) => [row.id, row])).values()];
  const key = ({ body, id }: (typeof rows)[number]): string => `${String(body[field])} ${id}`;
  rows.sort((one, other) => (key(one) < key(other) ? -1 : 1) * (descending ? -1 : 1));
  return { items: rows.slice(0, limit), more: rows.length > limit || pages.some((page) => page.more) };
}

async function list(call: Call<{ query: typeof query }>, { documents }: Ports) {
  const sort = { field: 'created_at', descending: call.query.sort === '-created_at' };
  const asked = conditions(call.query);
  const viewer = viewerOf(call);
  const pages = alternatives(viewer).map((visible) =>
    documents.query(courses, call.school, { where: [...visible, ...asked], sort, ...call.page }),
  );
  const page = merged(await Promise.all(pages), sort, call.page.limit);
  const show = ({ body }: Page['items'][number]) => {
    const row = body as unknown as CourseRow;
    return courseItemDocument(row, viewOf(viewer, row));
  };
  return listReply(page, show, sort);
}

/** Lists courses. */
export const listCourses = operation({
  id: 'listCourses',
  method: 'GET',
  path: '/api/courses',
  area: 'courses',
  summary: 'List courses',
  description:
    'Published and listed courses; for staff all of them, for lecturers also their own drafts. Newest first. The list follows writes with a short delay: the answer says in Consistency-Token how far it has come, and a request that carries the token of a write and `Prefer: wait=5` gets a list that has it.',
  scope: 'courses:read',
  anonymous: true,
  readModel: courses,
  query,
  status: 200,
  reply: listOf(courseItem),
  handle: list,
});
