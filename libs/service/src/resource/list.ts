import type { Condition, Page } from '@lyceum/documents';
import { line } from '@lyceum/contracts';
import {
  expandOf,
  fieldsOf,
  filterConditions,
  memoized,
  listFilters,
  listOf,
  listReply,
  type Operation,
  operation,
  queryAny,
  statusCondition,
  type View,
} from '@lyceum/web';
import { z } from 'zod';
import { answered } from './answered.ts';
import { type Resource, type ShownResource, scopeOf } from './declaration.ts';
import type { Rows } from './projection.ts';
import { searchConditions } from './text/search.ts';

/** What a list says of itself. */
export interface ListOperation<Filters extends z.ZodRawShape> extends Pick<
  Operation,
  'id' | 'summary' | 'description' | 'roles'
> {
  /** Query parameters beside those that every list has. */
  readonly filters?: Filters;
  /** What the filters ask of the rows. */
  conditions?(query: z.output<z.ZodObject<Filters>>): readonly Condition[];
  /** What `q` searches, for clients. */
  readonly searches: string;
  /** Fields that lists can be ordered by, the default first; with `-` before it the order is descending. */
  readonly sorts?: readonly [string, ...string[]];
}

/** What every list is asked, once it is parsed. */
type Asked = Omit<z.output<z.ZodObject<typeof listFilters>>, 'sort'> & {
  readonly sort: string;
  readonly status?: string;
  readonly q?: string;
  readonly expand?: readonly string[];
};

/** The operation that lists things, for those who may see them. */
export function listing<Thing extends Resource, Viewer, Shown extends object, Filters extends z.ZodRawShape>(
  resource: ShownResource<Thing, Viewer, Shown>,
  rows: Rows<Thing>,
  said: ListOperation<Filters>,
): Operation {
  const { path, area, list, item, expands } = resource;
  const { filters, conditions: _conditions, searches, sorts, ...texts } = said;
  return operation({
    ...texts,
    method: 'GET',
    path,
    area,
    scope: scopeOf(area, 'read'),
    anonymous: true,
    readModel: rows.collection,
    query: z.strictObject({
      ...listFilters,
      status: z.enum(list.statuses).optional(),
      ...filters,
      q: line(1, 100).optional().meta({ description: searches }),
      ...fieldsOf(item),
      ...(expands ? expandOf(expands.each.expansions) : {}),
      ...(sorts ? { sort: z.enum(sorts.flatMap((each) => [each, `-${each}`])).default(sorts[0]) } : {}),
    }),
    ...(expands ? { expands: expands.each.expansions } : {}),
    status: 200,
    reply: listOf(item),
    handle: listed(resource, rows, said),
  });
}

/** Answers with a page of the things that the caller may see. */
function listed<Thing extends Resource, Viewer, Shown extends object, Filters extends z.ZodRawShape>(
  resource: ShownResource<Thing, Viewer, Shown>,
  { collection, thingOf }: Rows<Thing>,
  { conditions = () => [] }: ListOperation<Filters>,
): Operation['handle'] {
  const { access, list, item, reply, document, expands } = resource;
  const finished = answered(resource);
  const omitted = Object.keys(reply.shape).filter((name) => !(name in item.shape));

  /** The thing of a row, as long as the row is in memory. */
  const thingOfRow = memoized((row: Page['items'][number]['body'], _variant: 'thing') => thingOf(row));

  /** A thing of a list as a view shows it. */
  const itemOf = memoized(({ id, body }: Page['items'][number], view: View) => {
    const shown = Object.entries(document(thingOfRow(body, 'thing'), view, id));
    // Expanders and replies of lists read no member that lists omit.
    return Object.fromEntries(shown.filter(([name]) => !omitted.includes(name))) as Shown;
  });

  return async (call, ports) => {
    // The filters are the resource's own, so their types are known where they are declared only.
    const asked = call.query as Asked & z.output<z.ZodObject<Filters>>;
    const sort = { field: asked.sort.replace(/^-/, ''), descending: asked.sort.startsWith('-') };
    const viewer = await access.viewer(call, ports);
    const all = [
      ...(list.having?.(asked.status, call.at) ?? [statusCondition(asked.status, list.statuses)]),
      ...conditions(asked),
      ...searchConditions('search', asked.q),
      ...filterConditions(asked),
    ];
    const visible = access.rows(viewer).map((each) => [...each, ...all]);
    const page = await queryAny(ports.documents, collection, call.school, visible, { sort, ...call.page });
    const things = page.items.map((row) =>
      finished(itemOf(row, access.viewOf(viewer, thingOfRow(row.body, 'thing'))), call),
    );
    const shown = expands ? await expands.each.expand(call, ports, things, asked.expand) : things;
    return listReply(page, (_row, index) => shown[index], sort);
  };
}
