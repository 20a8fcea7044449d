import { line } from '@lyceum/contracts';
import type { Page } from '@lyceum/documents';
import {
  type Call,
  expandOf,
  type Expansions,
  fieldsOf,
  filterConditions,
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
import { searchConditions } from '../resource/search.ts';
import type { View } from '../resource/view.ts';
import { viewOf } from './lecturer.load.ts';
import { lecturers } from './lecturer.projection.ts';
import { lecturerItem } from './lecturer.schema.ts';
import type { Lecturer } from './lecturer.state.ts';
import { lecturerDocument } from './lecturer.view.ts';

const statuses = ['active', 'archived'] as const;

const queryOf = (expansions: Expansions) =>
  z.strictObject({
    ...listFilters,
    status: z.enum(statuses).optional(),
    q: line(1, 100).optional().meta({ description: 'Beginnings of words of the name or title.' }),
    ...fieldsOf(lecturerItem),
    ...expandOf(expansions),
    sort: z.enum(['position', '-position', 'created_at', '-created_at']).default('position'),
  });

/** A lecturer of a list as a view shows it. */
const itemOf = lasting(({ id, body: { search: _search, ...lecturer } }: Page['items'][number], view: View) =>
  lecturerDocument(id, lecturer as unknown as Lecturer, view),
);

async function list(call: Call<{ query: ReturnType<typeof queryOf> }>, ports: Ports, expander: LecturerExpander) {
  const { sort: by, status, q } = call.query;
  const sort = by.endsWith('position')
    ? { field: 'position', descending: by.startsWith('-') }
    : orderOf({ sort: by as 'created_at' });
  const asked = [
    ...filterConditions({ ...call.query, sort: 'created_at' }),
    statusCondition(status, statuses),
    ...searchConditions('search', q),
  ];
  const all = call.principal?.role === 'owner' || call.principal?.role === 'admin';
  const visible = all && call.view === 'staff' ? [] : [{ field: 'status', is: 'active' }];
  const page = await queryAny(ports.documents, lecturers, call.school, [[...visible, ...asked]], {
    sort,
    ...call.page,
  });
  const show = (row: (typeof page.items)[number]) => itemOf(row, viewOf(call, row.body as unknown as Lecturer));
  const shown = await expander.expand(call, ports, page.items.map(show), call.query.expand);
  return listReply(page, (_row, index) => shown[index], sort);
}

type LecturerExpander = Expander<{ readonly id: string }>;

/** Lists lecturers. */
export const listLecturers = (expander: LecturerExpander): Operation =>
  operation({
    id: 'listLecturers',
    method: 'GET',
    path: '/api/lecturers',
    area: 'lecturers',
    summary: 'List lecturers',
    description:
      'Active lecturers by their position; owners and admins see archived ones when `status` asks for them. Follows writes with a short delay: see Consistency-Token.',
    scope: 'lecturers:read',
    anonymous: true,
    readModel: lecturers,
    query: queryOf(expander.expansions),
    expands: expander.expansions,
    status: 200,
    reply: listOf(lecturerItem),
    handle: (call, ports) => list(call, ports, expander),
  });
