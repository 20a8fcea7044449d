import { type Decider, type DomainEvent, upcast } from '@lyceum/kernel';
import type { Commit, EventLog } from './port.ts';

/** A stream's state, version and where it was observed. `version` 0: the stream does not exist. */
export interface Folded<State> {
  readonly state: State;
  readonly version: number;
  readonly lane: number;
  readonly position: number;
}

/** The part of a decider that turns events into a state. */
export type Evolving<State, Event extends DomainEvent> = Pick<
  Decider<State, never, Event, string>,
  'events' | 'initial' | 'evolve'
>;

/** Replays one stream. Strongly consistent. */
export async function fold<State, Event extends DomainEvent>(
  log: EventLog,
  decider: Evolving<State, Event>,
  tenant: string,
  stream: string,
): Promise<Folded<State>> {
  const { commits, heads, lane, position } = await log.load(tenant, [stream]);
  return { state: replay(decider, commits, stream), version: heads[stream] ?? 0, lane, position };
}

/** The state that the events of one stream lead to; events of other streams in the same commits are passed over. */
export function replay<State, Event extends DomainEvent>(
  decider: Evolving<State, Event>,
  commits: readonly Commit[],
  stream: string,
): State {
  let state = decider.initial;
  for (const { at, events } of commits)
    for (const event of events)
      if (event.stream === stream)
        state = decider.evolve(state, upcast(decider.events, event) as Event, { at, version: event.version });
  return state;
}
