import { claimant, type Expectation, fold, type Folded } from '@lyceum/eventlog';
import type { DomainEvent } from '@lyceum/kernel';
import {
  asOf,
  expandOf,
  fieldsOf,
  memoized,
  type Operation,
  operation,
  type Ports,
  Problem,
  type View,
} from '@lyceum/web';
import { z } from 'zod';
import type { Asking } from './access.ts';
import { answered } from './answered.ts';
import { type Resource, type ResourceDeclaration, type Said, type ShownResource, scopeOf } from './declaration.ts';
import { paramsOf, refIn } from './schema.ts';

/** A thing as the log has it now, for a caller who may know of it. */
export interface Loaded<Thing, Viewer> extends Omit<Folded<Thing>, 'state'> {
  readonly id: string;
  readonly thing: Thing;
  /** The members that other streams have. */
  readonly added: object;
  /** The streams that it was read from, as they were. */
  readonly expectedVersions: readonly Expectation[];
  readonly viewer: Viewer;
  /** How much of it the caller sees. */
  readonly view: View;
}

/** The loading of a resource. Strongly consistent. */
export interface Loading<Thing, Viewer> {
  /** The thing of this id or slug, old slugs included. Throws 404 for callers who may not know of it. */
  load(asking: Asking, ref: string, ports: Pick<Ports, 'log'>): Promise<Loaded<Thing, Viewer>>;
  /** The same for a caller who means to change it. Throws 403 when they may know of it only. */
  loadForUpdate(asking: Asking, ref: string, ports: Pick<Ports, 'log'>): Promise<Loaded<Thing, Viewer>>;
}

/** How a resource is loaded. */
export function loadingOf<
  Thing extends Resource,
  State,
  Command,
  Event extends DomainEvent,
  Code extends string,
  Viewer,
  Shown extends object,
>({
  noun,
  slugs,
  decider,
  present,
  access,
  addition,
}: Pick<
  ResourceDeclaration<Thing, State, Command, Event, Code, Viewer, Shown>,
  'noun' | 'slugs' | 'decider' | 'present' | 'access' | 'addition'
>): Loading<Thing, Viewer> {
  const whole = new WeakMap<Thing, { readonly thing: Thing; readonly key: string }>();

  /** The state with what other streams add; the same object as long as both are what they were. */
  function withAdded(state: Thing, added: object): Thing {
    const key = JSON.stringify(added);
    let known = whole.get(state);
    if (known?.key !== key) whole.set(state, (known = { key, thing: { ...state, ...added } }));
    return known.thing;
  }

  const load: Loading<Thing, Viewer>['load'] = async (asking, ref, ports) => {
    const { log } = ports;
    const { school } = asking;
    const id = ref.startsWith(`${noun}_`) ? ref : slugs && (await claimant(log, school, slugs, ref));
    if (id === undefined) throw new Problem('not_found');
    const folding = fold(log, decider, school, id);
    const [{ state: folded, ...found }, more, viewer] = await Promise.all([
      folding,
      addition?.(ports, school, id, async () => present((await folding).state)),
      access.viewer(asking, ports),
    ]);
    const state = present(folded);
    if (!state) throw new Problem('not_found');
    const thing = more ? withAdded(state, more.members) : state;
    if (!access.mayKnow(viewer, thing, ref)) throw new Problem('not_found');
    const expectedVersions = [{ stream: id, version: found.version }, ...(more ? [more.read] : [])];
    const view = access.viewOf(viewer, thing);
    return { ...found, id, thing, added: more?.members ?? {}, expectedVersions, viewer, view };
  };

  return {
    load,
    async loadForUpdate(asking, ref, ports) {
      const loaded = await load(asking, ref, ports);
      if (loaded.view !== 'staff') throw new Problem('access_denied', access.refusal);
      return loaded;
    },
  };
}

/** The names that a query asks to be shown whole. */
const expandedBy = (query: { readonly expand?: unknown }): readonly string[] | undefined =>
  Array.isArray(query.expand) ? query.expand : undefined;

/** The operation that reads one thing of a resource. */
export function getting<Thing extends Resource, Viewer, Shown extends object>(
  resource: ShownResource<Thing, Viewer, Shown> & { readonly noun: string; readonly slugs?: string },
  { load }: Loading<Thing, Viewer>,
): (said: Said) => Operation {
  const { noun, path, area, reply, document, expands, alongside, forMember, slugs, timely, isFleeting } = resource;
  const finished = answered(resource);
  // What depends on the time is another one at the same version.
  const sentOf = (thing: Thing) => (timely || isFleeting?.(thing) ? { fleeting: true } : {});

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
      params: paramsOf(noun, slugs !== undefined),
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
        const sent = sentOf(thing);
        if (ref !== id && ref !== thing.slug)
          return { status: 308, headers: { Location: `${path}/${thing.slug}` }, observed };
        const own = finished(shown[view](thing, id), call);
        const more = await alongside?.(ports, call.school, id);
        const body = more ? { ...own, ...more } : own;
        if (forMember && view === 'member' && call.principal) {
          const { school, at, issuer, principal } = call;
          const theirs = await forMember(ports, { school, at, issuer, member: principal.subject }, thing);
          // It changes without a new version, so there is no ETag.
          return { body: theirs ? { ...body, ...theirs } : body, observed };
        }
        if (!expands) return { body, version, observed, ...sent };
        const [expanded] = await expands.one.expand(call, ports, [body], expandedBy(call.query));
        return { body: expanded, version, observed, ...sent };
      },
    });
}
