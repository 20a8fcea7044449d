import { claimant, type Expectation, fold, type Folded } from '@lyceum/eventlog';
import type { DomainEvent } from '@lyceum/kernel';
import { type Ports, Problem, type View } from '@lyceum/web';
import type { Asking } from './access.ts';
import type { Resource, ResourceDeclaration } from './declaration.ts';

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
    const id = ref.startsWith(`${noun}_`) ? ref : await claimant(log, school, slugs, ref);
    if (id === undefined) throw new Problem('not_found');
    const [{ state: folded, ...found }, more, viewer] = await Promise.all([
      fold(log, decider, school, id),
      addition?.(ports, school, id),
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
