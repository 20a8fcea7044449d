import type { Condition, Page } from '@lyceum/documents';
import { line } from '@lyceum/contracts';
import {
  type Call,
  expandOf,
  fieldsOf,
  filterConditions,
  memoized,
  listFilters,
  listOf,
  listReply,
  type Operation,
  operation,
  type Ports,
  queryAny,
  statusCondition,
  type View,
} from '@lyceum/web';
import { z } from 'zod';
import { type AnyResource, type Resource, scopeOf } from './declaration.ts';
import type { Rows } from './projection.ts';
import { searchConditions } from './search.ts';

/** What a list says of itself. */
export interface ListOperation extends Pick<Operation, 'id' | 'summary' | 'description'> {
  /** Query parameters beside those that every list has. */
  readonly filters?: z.ZodRawShape;
  /** What the filters ask of the rows. */
  conditions?(query: Readonly<Record<string, never>>): readonly Condition[];
  /** What `q` searches, for clients. */
  readonly searches: string;
  /** Fields that lists can be ordered by, the default first; with `-` before it the order is descending. */
  readonly sorts?: readonly [string, ...string[]];
}

/** The operation that lists things, for those who may see them. */
export function listing<Thing extends Resource, Viewer>(
  resource: AnyResource<Thing, Viewer>,
  { collection, thingOf }: Rows<Thing>,
  { filters = {}, conditions = () => [], searches, sorts, ...texts }: ListOperation,
): Operation {
  const { path, area, access, list, item, reply, document, expands } = resource;
  const omitted = Object.keys(reply.shape).filter((name) => !(name in item.shape));
  const query = z.strictObject({
    ...listFilters,
    status: z.enum(list.statuses).optional(),
    ...filters,
    q: line(1, 100).optional().meta({ description: searches }),
    ...fieldsOf(item),
    ...(expands ? expandOf(expands.each.expansions) : {}),
    ...(sorts ? { sort: z.enum(sorts.flatMap((each) => [each, `-${each}`])).default(sorts[0]) } : {}),
  });

  /** The thing of a row, as long as the row is in memory. */
  const thingOfRow = memoized((row: Page['items'][number]['body'], _variant: 'thing') => thingOf(row));

  /** A thing of a list as a view shows it. */
  const itemOf = memoized(({ id, body }: Page['items'][number], view: View) => {
    const shown = Object.entries(document(thingOfRow(body, 'thing'), view, id));
    return Object.fromEntries(shown.filter(([name]) => !omitted.includes(name)));
  });

  async function handle(call: Call<{ query: typeof query }>, ports: Ports) {
    // The filters are the caller's own, so their types are known where they are declared only.
    const asked = call.query as unknown as z.output<z.ZodObject<typeof listFilters>> & Asked;
    const sort = { field: asked.sort.replace(/^-/, ''), descending: asked.sort.startsWith('-') };
    const viewer = await access.viewer(call, ports);
    const all = [
      statusCondition(asked.status, list.statuses),
      ...conditions(call.query as never),
      ...searchConditions('search', asked.q),
      ...filterConditions(asked),
    ];
    const visible = access.rows(viewer).map((each) => [...each, ...all]);
    const page = await queryAny(ports.documents, collection, call.school, visible, { sort, ...call.page });
    const things = page.items.map((row) => itemOf(row, access.viewOf(viewer, thingOfRow(row.body, 'thing'))));
    const shown = expands ? await expands.each.expand(call, ports, things as never, asked.expand) : things;
    return listReply(page, (_row, index) => shown[index], sort);
  }

  return operation({
    ...texts,
    method: 'GET',
    path,
    area,
    scope: scopeOf(area, 'read'),
    anonymous: true,
    readModel: collection,
    query,
    ...(expands ? { expands: expands.each.expansions } : {}),
    status: 200,
    reply: listOf(item),
    handle,
  });
}

interface Asked {
  readonly status?: string;
  readonly q?: string;
  readonly expand?: readonly string[];
}
