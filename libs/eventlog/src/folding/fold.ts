import { type Decider, type DomainEvent, upcast } from '@lyceum/kernel';
import type { Commit, EventLog, Loaded, Observed } from '../port.ts';
import type { Remember } from './states.ts';
import { fits, keep, lastOf, snapshotsFor, usable } from './snapshots.ts';

/** A stream's state, version and where it was observed. `version` 0: the stream does not exist. */
export interface Folded<State> extends Observed {
  readonly state: State;
}

/** The part of a decider that turns events into a state. */
export type Evolving<State, Event extends DomainEvent> = Pick<
  Decider<State, never, Event, string>,
  'events' | 'initial' | 'evolve' | 'snapshot'
>;

/** Replays one stream, from a snapshot on where there is one. Strongly consistent. */
export async function fold<State, Event extends DomainEvent>(
  log: EventLog,
  decider: Evolving<State, Event>,
  tenant: string,
  stream: string,
): Promise<Folded<State>> {
  const now = foldNow(log, decider, tenant, stream);
  if (now) return now;
  const remember = log.states?.begin();
  const known = await foldOn(log, decider, tenant, stream, remember);
  if (known) return known;
  const { state, commits, heads, lane, position } = await foldTail(log, decider, tenant, stream);
  const version = heads[stream] ?? 0;
  rememberAs(remember, decider, tenant, stream, { state, version, commits });
  return { state, version, lane, position };
}

/** Remembers a state with the last event in it. */
function rememberAs(
  remember: Remember | undefined,
  decider: Parameters<Remember>[0],
  tenant: string,
  stream: string,
  { commits, ...known }: { readonly state: unknown; readonly version: number; readonly commits: readonly Commit[] },
): void {
  const last = remember && commits.length > 0 ? lastOf(commits.at(-1)!, stream) : undefined;
  if (last?.version === known.version) remember!(decider, tenant, stream, { ...known, event: last.id });
}

/** The state that this process folded last, if its stream has not moved since; the first one, if there is no such stream. */
function foldNow<State, Event extends DomainEvent>(
  log: EventLog,
  decider: Evolving<State, Event>,
  tenant: string,
  stream: string,
): Folded<State> | undefined {
  if (!log.observeNow) return undefined;
  const known = log.states?.get<State>(decider, tenant, stream) ?? { state: decider.initial, version: 0 };
  const observed = log.observeNow(tenant, stream);
  return observed?.version === known.version ? { ...observed, state: known.state } : undefined;
}

/**
 * Goes on from the state that this process folded last, if there is one. Its last event is loaded again: another log may
 * have been put in the place of one on a server, and only a log that has this event may go on from there.
 */
async function foldOn<State, Event extends DomainEvent>(
  log: EventLog,
  decider: Evolving<State, Event>,
  tenant: string,
  stream: string,
  remember: Remember | undefined,
): Promise<Folded<State> | undefined> {
  const known = log.states?.get<State>(decider, tenant, stream);
  if (!known) return undefined;
  const { commits, heads, lane, position } = await log.load(tenant, [stream], known.version - 1);
  if (!fits(known, commits, stream)) return undefined;
  const version = heads[stream] ?? 0;
  const state = replay(decider, commits, stream, known);
  if (version > known.version) rememberAs(remember, decider, tenant, stream, { state, version, commits });
  return { state, version, lane, position };
}

/** The state of a stream right after one of its versions. */
export async function foldUntil<State, Event extends DomainEvent>(
  log: EventLog,
  decider: Evolving<State, Event>,
  tenant: string,
  stream: string,
  version: number,
): Promise<State> {
  return (await foldTail(log, decider, tenant, stream, version)).state;
}

async function foldTail<State, Event extends DomainEvent>(
  log: EventLog,
  decider: Evolving<State, Event>,
  tenant: string,
  stream: string,
  until = Infinity,
): Promise<Loaded & { readonly state: State }> {
  const snapshots = snapshotsFor(log, decider);
  const found = await usable(snapshots, decider, tenant, stream);
  if (found && found.version <= until) {
    // The event it was taken at is loaded again: only a log that has it may go on from there.
    const loaded = await log.load(tenant, [stream], found.version - 1);
    const tail = loaded.commits;
    const from = { state: found.state as State, version: found.version };
    if (fits(found, tail, stream)) {
      const state = replay(decider, tail, stream, from, until);
      if (until === Infinity) await keep(snapshots, decider, tenant, stream, { commits: tail, state });
      return { ...loaded, state };
    }
  }
  const loaded = await log.load(tenant, [stream]);
  const state = replay(decider, loaded.commits, stream, undefined, until);
  if (until === Infinity) await keep(snapshots, decider, tenant, stream, { commits: loaded.commits, state });
  return { ...loaded, state };
}

/** The state that the events of one stream lead to, after `from` and up to version `until`; events of other streams in the same commits are passed over. */
function replay<State, Event extends DomainEvent>(
  decider: Evolving<State, Event>,
  commits: readonly Commit[],
  stream: string,
  from: { readonly state: State; readonly version: number } = { state: decider.initial, version: 0 },
  until = Infinity,
): State {
  let { state } = from;
  for (const { at, events } of commits)
    for (const event of events)
      if (event.stream === stream && event.version > from.version && event.version <= until)
        state = decider.evolve(state, upcast(decider.events, event) as Event, { at, version: event.version });
  return state;
}
