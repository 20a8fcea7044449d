import type { VersionedCommand } from '@lyceum/eventlog';
import type { DomainEvent } from '@lyceum/kernel';
import {
  accepted,
  asOf,
  attempt,
  type Call,
  expandOf,
  fieldsOf,
  memoized,
  type Operation,
  operation,
  type Ports,
  readingAgain,
  type Reply,
  type View,
} from '@lyceum/web';
import { z } from 'zod';
import { type Done, type Resource, type ResourceDeclaration, scopeOf } from './declaration.ts';
import { listing, type ListOperation } from './list.ts';
import { type Loaded, type Loading, loadingOf } from './load.ts';
import { rowsOf, type Rows } from './projection.ts';
import { paramsOf } from './schema.ts';
import { createNamed, type Naming } from './slugs.ts';

/** What an operation says of itself. Everything else can be said, too, in place of what all resources have in common. */
type Said = Pick<Operation, 'id' | 'summary' | 'description'> & Partial<Omit<Operation, 'handle' | 'body' | 'path'>>;

/** A call that names a thing of a resource. */
export type OfThing<Body extends z.ZodType | undefined = undefined> = Omit<Call<{ body: Body }>, 'query' | 'params'> & {
  readonly params: object;
};

type Derives<Command, Thing, Viewer> = (
  loaded: Loaded<Thing, Viewer>,
) => VersionedCommand<Command> | Promise<VersionedCommand<Command>>;

/** A command, or what derives it from the thing as it was loaded: asked again when the thing has changed meanwhile. */
export type Wanted<Command, Thing, Viewer> = Command | Derives<Command, Thing, Viewer>;

/** An operation that changes a thing. */
interface Change<Body extends z.ZodType | undefined, Command, Thing, Viewer> extends Said {
  /** Below the path of the thing, e.g. `/publish`. */
  readonly below?: string;
  readonly body?: Body;
  command(call: OfThing<Body>, ports: Ports): Wanted<Command, Thing, Viewer> | Promise<Wanted<Command, Thing, Viewer>>;
}

/** An operation that makes a thing. */
interface Creation<Body extends z.ZodType, Command> extends Said {
  readonly body: Body;
  /** The slug that the client stated, or the title to derive one from. */
  naming(body: z.output<Body>): Naming;
  /** The command that makes the thing of this id, once it has a slug. */
  command(
    call: Call<{ body: Body }>,
    ports: Ports,
    id: string,
  ): ((slug: string) => Command) | Promise<(slug: string) => Command>;
}

/** What a resource is given by other areas. */
type Given = Pick<ResourceDeclaration<never, never, never, never, never, never>, 'alongside' | 'expands'>;

/** A resource as its slice uses it: each operation is made of its texts and its command, and is a plain operation then. */
export interface ResourceKit<Thing extends Resource, Command, Viewer> extends Rows<Thing>, Loading<Thing, Viewer> {
  /** The same resource with what other areas give it: their things beside and in its own. */
  given(parts: Given): ResourceKit<Thing, Command, Viewer>;
  list(said: ListOperation): Operation;
  /** Reads one, as of now. A former slug answers 308 with the address of the present one. */
  get(said: Said): Operation;
  create<Body extends z.ZodType>(said: Creation<Body, Command>): Operation;
  /** Changes one by a merge patch, PATCH on its path; or as `method` and `below` say. */
  change<Body extends z.ZodType | undefined = undefined>(said: Change<Body, Command, Thing, Viewer>): Operation;
  /** Removes one. */
  remove(said: Change<undefined, Command, Thing, Viewer>): Operation;
  /** Brings a command to a thing that the caller may change, and answers with the thing. */
  run(call: OfThing<never>, ports: Ports, wanted: Wanted<Command, Thing, Viewer>): Promise<Reply>;
  /** The answer to a write: a caller who may change a thing sees all of it. */
  written(call: Pick<Call, 'school'>, ports: Ports, done: Done<Thing>, added?: object): Promise<Reply>;
}

/**
 * Makes what a kind of thing needs to be listed, read, created, changed and removed over HTTP. Nothing is registered: a
 * slice takes the operations and the projection that it wants, and writes what is special by itself.
 */
export function resource<
  Thing extends Resource,
  State,
  Command,
  Event extends DomainEvent,
  Code extends string,
  Viewer,
>(declared: ResourceDeclaration<Thing, State, Command, Event, Code, Viewer>): ResourceKit<Thing, Command, Viewer> {
  const { noun, path, area, decider, statuses, access, reply, document, expands, alongside, present } = declared;
  const params = paramsOf(noun);
  const one = `${path}/{${noun}}`;
  const rows = rowsOf(declared);
  const { load, loadForUpdate } = loadingOf(declared);
  const writing = { area, scope: scopeOf(area, 'write'), anonymous: false, roles: access.writers } as const;
  const refOf = (call: { readonly params: object }) => (call.params as Readonly<Record<string, string>>)[noun]!;

  /** The reply of a thing as long as both are in memory; the id stands in the variant, since a state may not have it. */
  const documentOf = memoized((thing: Thing, variant: `${View} ${string}`) => {
    const [view, id] = variant.split(' ') as [View, string];
    return document(thing, view, id);
  });

  const written: ResourceKit<Thing, Command, Viewer>['written'] = async ({ school }, ports, done, added = {}) => {
    const { state, stream: id, lane, position } = done;
    if (!state) return { observed: { lane, position } };
    const more = await alongside?.(ports, school, id);
    return { body: { ...document({ ...state, ...added }, 'staff', id), ...more }, ...asOf(done) };
  };

  const run: ResourceKit<Thing, Command, Viewer>['run'] = async (call, ports, wanted) => {
    const again = () => loadForUpdate(call, refOf(call), ports);
    const loaded = await again();
    const reading = readingAgain(loaded, again);
    const command =
      typeof wanted === 'function' ? async () => (wanted as Derives<Command, Thing, Viewer>)(await reading()) : wanted;
    const outcome = accepted(await attempt(call, ports, decider, loaded.id, command as never), statuses);
    return written(call, ports, { ...outcome, state: present(outcome.state) }, loaded.added);
  };

  const change: ResourceKit<Thing, Command, Viewer>['change'] = ({ below = '', command, ...said }) =>
    operation({
      ...writing,
      method: 'PATCH',
      params,
      reply,
      ifMatch: 'accepted',
      status: 200,
      ...said,
      path: one + below,
      handle: async (call: never, ports: Ports) => run(call, ports, await command(call, ports)),
    } as never);

  return {
    ...rows,
    given: (parts) => resource({ ...declared, ...parts }),
    load,
    loadForUpdate,
    written,
    run,
    change,
    list: (said) => listing(declared, rows, said),
    remove: ({ command, ...said }) =>
      operation({
        ...writing,
        method: 'DELETE',
        params,
        ifMatch: 'accepted',
        status: 204,
        ...said,
        path: one,
        async handle(call: never, ports: Ports) {
          const { observed } = await run(call, ports, await command(call, ports));
          return observed ? { observed } : {};
        },
      } as never),
    get: (said) =>
      operation({
        area,
        scope: scopeOf(area, 'read'),
        anonymous: true,
        method: 'GET',
        params,
        query: z.strictObject({ ...fieldsOf(reply), ...(expands ? expandOf(expands.one.expansions) : {}) }),
        ...(expands ? { expands: expands.one.expansions } : {}),
        status: 200,
        reply,
        ...said,
        path: one,
        async handle(call: Call, ports: Ports) {
          const ref = refOf(call as never);
          const { id, thing, view, ...found } = await load(call, ref, ports);
          const { version, observed } = asOf(found);
          if (ref !== id && ref !== thing.slug)
            return { status: 308, headers: { Location: `${path}/${thing.slug}` }, observed };
          const shown = documentOf(thing, `${view} ${id}`);
          const more = await alongside?.(ports, call.school, id);
          const body = more ? { ...shown, ...more } : shown;
          if (!expands) return { body, version, observed };
          const wanted = (call.query as { readonly expand?: readonly string[] }).expand;
          const [expanded] = await expands.one.expand(call, ports, [body] as never, wanted);
          return { body: expanded, version, observed };
        },
      } as never),
    create: ({ naming, command, ...said }) =>
      operation({
        ...writing,
        method: 'POST',
        path,
        status: 201,
        reply,
        ...said,
        async handle(call: never, ports: Ports) {
          const { body } = call as Call<{ body: typeof said.body }>;
          const id = ports.ids.next(noun);
          const made = await command(call, ports, id);
          const outcome = await createNamed(naming(body as never), { id, noun }, (slug) =>
            attempt(call, ports, decider, id, made(slug) as never),
          );
          const done = accepted(outcome, statuses);
          const answer = await written(call, ports, { ...done, state: present(done.state) });
          return { ...answer, headers: { Location: `${path}/${done.stream}` } };
        },
      } as never),
  };
}
