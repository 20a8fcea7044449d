import { type EventLog, type Executed, type Folded, execute, fold } from '@lyceum/eventlog';
import { type Decider, type DomainEvent, type Meta, type Rejection, isoTime } from '@lyceum/kernel';
import type { Ports } from '@lyceum/web';

type Writing = Pick<Ports, 'log' | 'clock' | 'ids'>;

/** Where a command goes and who gave it. `commitId` is derived for what may be repeated, random otherwise. */
export interface Target {
  readonly school: string;
  readonly stream: string;
  readonly meta: Meta;
  readonly commitId?: string;
}

/** Decides a command on a stream of a school and writes the outcome in one commit. */
export function write<State, Command, Event extends DomainEvent, Code extends string>(
  { log, clock, ids }: Writing,
  decider: Decider<State, Command, Event, Code>,
  { school: tenant, stream, meta, commitId = ids.next('commit').slice('commit_'.length) }: Target,
  command: Command,
): Promise<Executed<State> | Rejection<Code>> {
  return execute(log, decider, { tenant, stream, command, at: isoTime(clock.now()), meta, commitId });
}

/** The state of a stream now; its initial state when there is no such stream. */
export async function read<State, Event extends DomainEvent>(
  { log }: { readonly log: EventLog },
  decider: Pick<Decider<State, never, Event, string>, 'events' | 'initial' | 'evolve'>,
  school: string,
  stream: string | undefined,
): Promise<State> {
  if (stream === undefined) return decider.initial;
  const folded: Folded<State> = await fold(log, decider, school, stream);
  return folded.state;
}

/** Seconds since the epoch. */
export const seconds = (clock: { now(): number }): number => Math.floor(clock.now() / 1000);
