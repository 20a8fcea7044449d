import { asOf, expandOf, fieldsOf, memoized, type Operation, operation, type View } from '@lyceum/web';
import { z } from 'zod';
import { type Resource, type ShownResource, scopeOf } from './declaration.ts';
import type { Said } from './kit.ts';
import type { Loading } from './load.ts';
import { paramsOf, refIn } from './schema.ts';

/** The names that a query asks to be shown whole. */
const expandedBy = (query: { readonly expand?: unknown }): readonly string[] | undefined =>
  Array.isArray(query.expand) ? query.expand : undefined;

/** The operation that reads one thing of a resource. */
export function getting<Thing extends Resource, Viewer, Shown extends object>(
  {
    noun,
    path,
    area,
    reply,
    document,
    expands,
    alongside,
  }: ShownResource<Thing, Viewer, Shown> & { readonly noun: string },
  { load }: Loading<Thing, Viewer>,
): (said: Said) => Operation {
  /** What the views show of a thing, as long as the thing is in memory; the id stands beside it, since a state may not have it. */
  const shown = {
    anonymous: memoized((thing: Thing, id: string) => document(thing, 'anonymous', id)),
    member: memoized((thing: Thing, id: string) => document(thing, 'member', id)),
    staff: memoized((thing: Thing, id: string) => document(thing, 'staff', id)),
  } satisfies Record<View, unknown>;

  return (said) =>
    operation({
      area,
      scope: scopeOf(area, 'read'),
      anonymous: true,
      method: 'GET',
      params: paramsOf(noun),
      query: z.strictObject({ ...fieldsOf(reply), ...(expands ? expandOf(expands.one.expansions) : {}) }),
      ...(expands ? { expands: expands.one.expansions } : {}),
      status: 200,
      reply,
      ...said,
      path: `${path}/{${noun}}`,
      async handle(call, ports) {
        const ref = refIn(call.params, noun);
        const { id, thing, view, ...found } = await load(call, ref, ports);
        const { version, observed } = asOf(found);
        if (ref !== id && ref !== thing.slug)
          return { status: 308, headers: { Location: `${path}/${thing.slug}` }, observed };
        const own = shown[view](thing, id);
        const more = await alongside?.(ports, call.school, id);
        const body = more ? { ...own, ...more } : own;
        if (!expands) return { body, version, observed };
        const [expanded] = await expands.one.expand(call, ports, [body], expandedBy(call.query));
        return { body: expanded, version, observed };
      },
    });
}
