import type { DomainEvent } from '@lyceum/kernel';
import { accepted, asOf, attempt, operation, type Ports, readingAgain, type Reply } from '@lyceum/web';
import type { z } from 'zod';
import { answered } from './answered.ts';
import { type Resource, type ResourceDeclaration, type ShownResource, scopeOf } from './declaration.ts';
import type { Change, Creation, CreationCall, Derives, ThingCall, Wanted, Writing } from './kit.ts';
import type { Loading } from './read.ts';
import { paramsOf, refIn } from './schema.ts';
import { createNamed } from './text/slugs.ts';

/** A command that is derived rather than given. No command is a function. */
const isDerived = <Command, Thing, Viewer>(
  wanted: Wanted<Command, Thing, Viewer>,
): wanted is Derives<Command, Thing, Viewer> => typeof wanted === 'function';

type Written<Thing> = Writing<Thing, never, never>['written'];

/** The answer to a write, as the staff see the thing. */
const writtenAs =
  <Thing, Viewer, Shown extends object>(
    resource: Pick<ShownResource<Thing, Viewer, Shown>, 'document' | 'addressed' | 'timely' | 'alongside'>,
  ): Written<Thing> =>
  async (call, ports, done, added = {}) => {
    const { state, stream: id, lane, position } = done;
    if (!state) return { observed: { lane, position } };
    const more = await resource.alongside?.(ports, call.school, id);
    const shown = answered(resource)(resource.document({ ...state, ...added }, 'staff', id), call);
    return { body: { ...shown, ...more }, ...asOf(done) };
  };

/** The part of a declaration that commands are decided by. */
type Decided<Thing extends Resource, State, Command, Event extends DomainEvent, Code extends string> = Pick<
  ResourceDeclaration<Thing, State, Command, Event, Code, never, never>,
  'noun' | 'decider' | 'statuses' | 'present'
>;

/** Brings commands to things that the caller may change, and answers with the thing. */
const commanding =
  <Thing extends Resource, State, Command, Event extends DomainEvent, Code extends string, Viewer>(
    { noun, decider, statuses, present }: Decided<Thing, State, Command, Event, Code>,
    { loadForUpdate }: Loading<Thing, Viewer>,
    written: Written<Thing>,
  ) =>
  async <Body extends z.ZodType | undefined>(
    call: ThingCall<Body>,
    ports: Ports,
    { command }: Pick<Change<Body, Command, Thing, Viewer>, 'command'>,
  ): Promise<Reply> => {
    const wanted = await command(call, ports);
    const again = () => loadForUpdate(call, refIn(call.params, noun), ports);
    const loaded = await again();
    const reading = readingAgain(loaded, again);
    const source = isDerived(wanted) ? async () => wanted(await reading()) : wanted;
    const outcome = accepted(await attempt(call, ports, decider, loaded.id, source), statuses);
    return written(call, ports, { ...outcome, state: present(outcome.state) }, loaded.added);
  };

/** Makes a thing under a free slug, and answers with the thing and its address. */
const creating =
  <Thing extends Resource, State, Command, Event extends DomainEvent, Code extends string>(
    { noun, path, decider, statuses, present }: Decided<Thing, State, Command, Event, Code> & { readonly path: string },
    written: Written<Thing>,
  ) =>
  async <Body extends z.ZodType>(
    call: CreationCall<Body>,
    ports: Ports,
    { naming, command }: Pick<Creation<Body, Command>, 'naming' | 'command'>,
  ): Promise<Reply> => {
    const id = ports.ids.next(noun);
    const made = await command(call, ports, id);
    const make = (slug: string) => attempt(call, ports, decider, id, made(slug));
    const outcome = naming ? await createNamed(naming(call.body), { id, noun }, make) : await make('');
    const done = accepted(outcome, statuses);
    const answer = await written(call, ports, { ...done, state: present(done.state) });
    return { ...answer, headers: { Location: `${path}/${done.stream}` } };
  };

/** The operations that write a resource. */
export function writingOf<
  Thing extends Resource,
  State,
  Command,
  Event extends DomainEvent,
  Code extends string,
  Viewer,
  Shown extends object,
>(
  declared: ResourceDeclaration<Thing, State, Command, Event, Code, Viewer, Shown>,
  loading: Loading<Thing, Viewer>,
): Writing<Thing, Command, Viewer> {
  const { noun, path, area, access, reply, slugs } = declared;
  const one = `${path}/{${noun}}`;
  const writing = { area, scope: scopeOf(area, 'write'), anonymous: false, roles: access.writers } as const;
  const ofOne = { ...writing, params: paramsOf(noun, slugs !== undefined), ifMatch: 'accepted' } as const;
  const written = writtenAs(declared);
  const run = commanding(declared, loading, written);
  const create = creating(declared, written);
  return {
    written,
    change({ below = '', command, ...said }) {
      const declaration = { ...ofOne, method: 'PATCH', reply, status: 200, ...said, path: one + below } as const;
      return operation({ ...declaration, handle: (call, ports) => run(call, ports, { command }) });
    },
    remove: ({ command, ...said }) =>
      operation({
        ...ofOne,
        method: 'DELETE',
        status: 204,
        ...said,
        path: one,
        async handle(call: ThingCall, ports) {
          const { observed } = await run(call, ports, { command });
          return observed ? { observed } : {};
        },
      }),
    create({ naming, command, ...said }) {
      const declaration = { ...writing, method: 'POST', path, status: 201, reply, ...said } as const;
      return operation({ ...declaration, handle: (call, ports) => create(call, ports, { naming, command }) });
    },
  };
}
