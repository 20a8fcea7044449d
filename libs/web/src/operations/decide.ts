import { type CommandSource, type EventLog, type Executed, execute } from '@lyceum/eventlog';
import { type Decider, type DomainEvent, type Rejection, isRejection } from '@lyceum/kernel';
import type { Call, Reply } from './operation.ts';
import { type StatusTable, problemOf } from './rejected.ts';

/** The part of a call that a decision is made and recorded with. */
export type Deciding = Pick<Call, 'school' | 'at' | 'meta' | 'commit' | 'expected'>;

/**
 * Brings the command of a call to a stream of its school: decided against the events as of now, written in one commit,
 * once per Idempotency-Key, and only at the version of If-Match when there is one. Throws what `execute` throws.
 */
export function attempt<State, Command, Event extends DomainEvent, Code extends string>(
  { school, at, meta, commit, expected }: Deciding,
  { log }: { readonly log: EventLog },
  decider: Decider<State, Command, Event, Code>,
  stream: string,
  command: NoInfer<CommandSource<Command>>,
): Promise<Executed<State> | Rejection<Code>> {
  const request = { tenant: school, stream, command, at, meta, ...commit };
  return execute(log, decider, expected === undefined ? request : { ...request, expected });
}

/** Gives what was read already, and reads again whenever it is asked once more: for commands that are derived. */
export function readingAgain<Read>(first: Read, read: () => Promise<Read>): () => Promise<Read> {
  let known: { readonly read: Read } | undefined = { read: first };
  return async () => {
    const given = known ? known.read : await read();
    known = undefined;
    return given;
  };
}

/** The outcome when it was accepted; throws the problem that a rejection means otherwise. */
export function accepted<Outcome extends object, Code extends string>(
  outcome: Outcome | Rejection<Code>,
  statuses: StatusTable<Code>,
): Outcome {
  if (isRejection(outcome)) throw problemOf(outcome, statuses);
  return outcome;
}

/** What a reply says of the state it shows: the version as ETag, the place in the log as Consistency-Token. */
export const asOf = ({ version, lane, position }: Pick<Executed<unknown>, 'version' | 'lane' | 'position'>) =>
  ({ version, observed: { lane, position } }) satisfies Reply;
