import { line } from '@lyceum/contracts';
import type { Condition, Page } from '@lyceum/documents';
import {
  type Call,
  expandOf,
  type Expansions,
  fieldsOf,
  filterConditions,
  given,
  lasting,
  listFilters,
  listOf,
  listReply,
  operation,
  type Operation,
  orderOf,
  type Ports,
  queryAny,
  statusCondition,
} from '@lyceum/web';
import { z } from 'zod';
import type { Expander } from '../resource/expander.ts';
import { opaqueId } from '../values/prices.ts';
import { searchConditions } from '../resource/search.ts';
import { type Viewer, viewOf } from './course.access.ts';
import { accessKinds, statuses } from './course.fields.ts';
import { viewerOf } from './course.load.ts';
import { courses } from './course.projection.ts';
import { courseItem } from './course.schema.ts';
import { courseItemDocument, type CourseRow } from './course.view.ts';

const queryOf = (expansions: Expansions) =>
  z.strictObject({
    ...listFilters,
    status: z.enum(statuses).optional(),
    access: z.enum(accessKinds).optional(),
    category: line(1, 60).optional(),
    tag: line(1, 40).optional(),
    lecturer_id: opaqueId.optional(),
    q: line(1, 100)
      .optional()
      .meta({ description: 'Beginnings of words of title, subtitle, summary, category or tags; all of them.' }),
    ...fieldsOf(courseItem),
    ...expandOf(expansions),
  });

type Query = ReturnType<typeof queryOf>;
type Filters = z.output<Query>;

const conditions = (asked: Filters): readonly Condition[] => [
  statusCondition(asked.status, statuses),
  ...given(asked.access, (is) => ({ field: 'access', is })),
  ...given(asked.category, (is) => ({ field: 'category', is })),
  ...given(asked.tag, (has) => ({ field: 'tags', has })),
  ...given(asked.lecturer_id, (has) => ({ field: 'lecturer_ids', has })),
  ...searchConditions('search', asked.q),
  ...filterConditions(asked),
];

/** The rows a viewer may see, as alternatives: a lecturer's are the listed ones and the own ones. */
function alternatives(viewer: Viewer): readonly (readonly Condition[])[] {
  const listed: Condition = { field: 'listed', is: true };
  if (viewer.manages === 'all') return [[]];
  return [[listed], ...viewer.names.map((has): Condition[] => [{ field: 'owners', has }])];
}

const itemOf = lasting(courseItemDocument);

async function list(call: Call<{ query: Query }>, ports: Ports, expander: CourseListExpander) {
  const sort = orderOf(call.query);
  const asked = conditions(call.query);
  const viewer = await viewerOf(call, ports);
  const visible = alternatives(viewer).map((each) => [...each, ...asked]);
  const page = await queryAny(ports.documents, courses, call.school, visible, { sort, ...call.page });
  const show = ({ body }: Page['items'][number]) => {
    const row = body as unknown as CourseRow;
    return itemOf(row, viewOf(viewer, row));
  };
  const shown = await expander.expand(call, ports, page.items.map(show), call.query.expand);
  return listReply(page, (_row, index) => shown[index], sort);
}

/** Shows what courses of a list name by id. */
export type CourseListExpander = Expander<{ readonly lecturer_ids: readonly string[] }>;

/** Lists courses. */
export const listCourses = (expander: CourseListExpander): Operation =>
  operation({
    id: 'listCourses',
    method: 'GET',
    path: '/api/courses',
    area: 'courses',
    summary: 'List courses',
    description:
      'Published and listed courses; for staff all of them, for lecturers also their own drafts; archived ones only when `status` asks for them. Newest first. The list follows writes with a short delay: the answer says in Consistency-Token how far it has come, and a request that carries the token of a write and `Prefer: wait=5` gets a list that has it. Curricula are shown whole with one course at a time: each may have a thousand lessons.',
    scope: 'courses:read',
    anonymous: true,
    readModel: courses,
    query: queryOf(expander.expansions),
    expands: expander.expansions,
    status: 200,
    reply: listOf(courseItem),
    handle: (call, ports) => list(call, ports, expander),
  });
