import type { Incoming } from '@lyceum/documents';
import type { DomainEvent, EventContext, EventTypes, Meta, Rejection } from '@lyceum/kernel';

/** An input of a process. */
export type ProcessInput<Command> =
  | { readonly kind: 'event'; readonly event: Incoming }
  | { readonly kind: 'timer'; readonly timer: string }
  | { readonly kind: 'rejected'; readonly command: Command; readonly code: string };

/** What a process wants to happen. All of it is stored in one commit of its stream before any of it is done. */
export interface ProcessReaction<Event extends DomainEvent, Command> {
  /** Events of its own, to remember by. */
  readonly events?: readonly Event[];
  /** Plain JSON. Each is carried out at least once, and once in effect: see `ProcessManager.carryOut`. */
  readonly commands?: readonly Command[];
  /** Timers by name, with the time that they are due, RFC 3339 UTC. */
  readonly set?: Readonly<Record<string, string>>;
  readonly cancel?: readonly string[];
}

/** With what a command is carried out. */
export interface Order {
  readonly tenant: string;
  readonly correlation: string;
  /** Always the same for this command: a commit with it is written once. */
  readonly commitId: string;
  readonly at: string;
  readonly meta: Meta;
  /** Whether an operator resumed it after it was stuck: what only had to be told is told. */
  readonly resumed?: boolean;
}

/**
 * A process over several aggregates or services, as data and pure functions: the stream `process/<name>/<correlation>`
 * with what it has seen, decided and asked for. `Ports`: what its commands are carried out with.
 */
export interface ProcessManager<State, Event extends DomainEvent, Command, Ports = unknown> {
  readonly name: string;
  readonly events: EventTypes;
  readonly initial: State;
  evolve(state: State, event: Event, context: EventContext): State;
  /** The process that an event concerns; undefined = none. Pure. */
  correlate(event: Incoming): string | undefined;
  /** Pure: neither clock nor ids, but for the time of the input. */
  react(input: ProcessInput<Command>, state: State, now: string): ProcessReaction<Event, Command>;
  /**
   * Carries out one command, writing with `order.commitId`. A rejection is final and goes back to `react`. A throw is
   * tried again: `tries` in a row, then by timer after 1 s, 2 s … 1 h for a day, while later inputs of the process go on;
   * operators see it after a quarter of an hour. After the day, or at once by `NeedsOperator`, the process is stuck until
   * an operator resumes it.
   */
  carryOut(command: Command, order: Order, ports: Ports): Promise<Rejection | object>;
  /** Tries at once; 3 when not given. */
  readonly tries?: number;
}

const beginning = 'process/';

/** The stream of a process. */
export const processStream = (name: string, correlation: string): string => `${beginning}${name}/${correlation}`;

/** Whether a stream is one of a process, also of one that this release does not know. */
export const isProcessStream = (stream: string): boolean => stream.startsWith(beginning);

/** The correlation that a stream of this kind of process has; undefined for other streams. */
export function correlationOf(name: string, stream: string): string | undefined {
  const prefix = processStream(name, '');
  return stream.startsWith(prefix) ? stream.slice(prefix.length) : undefined;
}
