import type { Incoming } from '@lyceum/documents';
import type { Decider, DomainEvent, EventContext } from '@lyceum/kernel';
import { type ProcessEvent, isProcessEvent, processEvents } from './process-events.ts';
import { type Failures, afterFailure, afterResumption, nextRetry, noFailures } from './process-retries.ts';
import type { ProcessInput, ProcessManager, ProcessReaction } from './process.ts';

/** Where a source's event stands: its commit, and its place in it. */
export interface InputPlace {
  readonly source: string;
  readonly lane: number;
  readonly position: number;
  readonly index: number;
}

/** A command by the event that issued it, and its place there. */
export interface Issued {
  readonly version: number;
  readonly index: number;
}

/** The state of a process, and what the interpreter keeps with it. */
export interface Process<State, Command> {
  readonly state: State;
  /** The last input taken of each lane of each source. */
  readonly seen: Readonly<Record<string, { readonly position: number; readonly index: number }>>;
  /** Pending timers: when they are due, and the version of the event that set them. */
  readonly timers: Readonly<Record<string, { readonly due: string; readonly version: number }>>;
  /** The commands of each version that issued some. */
  readonly issued: Readonly<Record<string, readonly Command[]>>;
  /** Commands that failed, `<version>.<index>`. */
  readonly failures: Failures;
}

/** What can happen to a process. */
export type ProcessCommand =
  | { readonly do: 'take'; readonly event: Incoming; readonly place: InputPlace; readonly now: string }
  | { readonly do: 'fire'; readonly timer: string; readonly version: number; readonly now: string }
  | { readonly do: 'reject'; readonly issued: Issued; readonly code: string; readonly now: string }
  | StickCommand
  /** `version`: of the event that says that the command waits. */
  | { readonly do: 'retry'; readonly issued: Issued; readonly version: number }
  | { readonly do: 'resume' };

/** A command failed. `spread`: 0 to 1, by which retries are spread. `needsOperator`: no retry helps. */
interface StickCommand {
  readonly do: 'stick';
  readonly issued: Issued;
  readonly error: string;
  readonly needsOperator: boolean;
  readonly spread: number;
  readonly now: string;
}

const issuedKey = ({ version, index }: Issued): string => `${version}.${index}`;
const laneKey = ({ source, lane }: { source: string; lane: number }): string => `${source}/${lane}`;

/** The decider behind a process: it turns reactions into events of one commit. */
export function processDecider<State, Event extends DomainEvent, Command>(
  manager: ProcessManager<State, Event, Command, never>,
): Decider<Process<State, Command>, ProcessCommand, DomainEvent> {
  const react = (process: Process<State, Command>, input: ProcessInput<Command>, now: string) =>
    eventsOf(manager.react(input, process.state, now));
  return {
    events: { ...manager.events, ...processEvents },
    initial: { state: manager.initial, seen: {}, timers: {}, issued: {}, failures: noFailures },
    decide(command, process) {
      switch (command.do) {
        case 'take':
          return take(command, process, react);
        case 'fire': {
          const { timer, version, now } = command;
          // Canceled, fired or moved meanwhile: the index was behind.
          if (process.timers[timer]?.version !== version) return [];
          return [{ type: 'TimerFired', data: { timer } }, ...react(process, { kind: 'timer', timer }, now)];
        }
        case 'reject': {
          const { issued, code, now } = command;
          const refused = process.issued[issued.version]![issued.index]!;
          const rejected: ProcessEvent = { type: 'CommandRejected', data: { ...issued, code } };
          return [rejected, ...react(process, { kind: 'rejected', command: refused, code }, now)];
        }
        case 'stick':
          return [stuck(command, process.failures)];
        case 'retry': {
          const { issued, version } = command;
          // Resumed by an operator meanwhile: the index was behind.
          if (process.failures.waiting[issuedKey(issued)]?.version !== version) return [];
          return [{ type: 'ProcessResumed', data: { ...issued } }];
        }
        case 'resume':
          return Object.keys(process.failures.waiting).map((key) => {
            const [version, index] = key.split('.').map(Number) as [number, number];
            return { type: 'ProcessResumed', data: { version, index } };
          });
      }
    },
    evolve: (process, event, context) => evolve(manager, process, event, context),
  };
}

function stuck({ issued, error, needsOperator, spread, now }: StickCommand, { failing }: Failures): ProcessEvent {
  const retry = needsOperator ? undefined : nextRetry(failing[issuedKey(issued)], now, spread);
  return { type: 'ProcessStuck', data: { ...issued, error, ...(retry ? { retry } : {}) } };
}

function take<State, Command>(
  { event, place, now }: Extract<ProcessCommand, { do: 'take' }>,
  process: Process<State, Command>,
  react: (process: Process<State, Command>, input: ProcessInput<Command>, now: string) => readonly DomainEvent[],
): readonly DomainEvent[] {
  const last = process.seen[laneKey(place)];
  const { position, index } = place;
  // What came before the last input was handled then, also when nothing followed from it; now it would meet another state.
  if (last && (position < last.position || (position === last.position && index <= last.index))) return [];
  const reaction = react(process, { kind: 'event', event }, now);
  return reaction.length === 0 ? [] : [{ type: 'InputTaken', data: place }, ...reaction];
}

/** The events of a reaction: what is remembered, then timers, then commands. */
function eventsOf({
  events = [],
  commands = [],
  set = {},
  cancel = [],
}: ProcessReaction<DomainEvent, unknown>): DomainEvent[] {
  return [
    ...events,
    ...cancel.map((timer) => ({ type: 'TimerCanceled', data: { timer } })),
    ...Object.entries(set).map(([timer, due]) => ({ type: 'TimerSet', data: { timer, due } })),
    ...(commands.length > 0 ? [{ type: 'CommandsIssued', data: { commands } }] : []),
  ];
}

function evolve<State, Event extends DomainEvent, Command>(
  manager: ProcessManager<State, Event, Command, never>,
  process: Process<State, Command>,
  event: DomainEvent,
  context: EventContext,
): Process<State, Command> {
  if (!isProcessEvent(event)) return { ...process, state: manager.evolve(process.state, event as Event, context) };
  switch (event.type) {
    case 'InputTaken': {
      const { position, index } = event.data;
      return { ...process, seen: { ...process.seen, [laneKey(event.data)]: { position, index } } };
    }
    case 'TimerSet': {
      const { timer, due } = event.data;
      return { ...process, timers: { ...process.timers, [timer]: { due, version: context.version } } };
    }
    case 'TimerFired':
    case 'TimerCanceled': {
      const { [event.data.timer]: _over, ...timers } = process.timers;
      return { ...process, timers };
    }
    case 'CommandsIssued': {
      const commands = event.data.commands as readonly Command[];
      return { ...process, issued: { ...process.issued, [context.version]: commands } };
    }
    case 'ProcessStuck':
      return {
        ...process,
        failures: afterFailure(process.failures, issuedKey(event.data), context.version, event.data.retry),
      };
    case 'ProcessResumed':
      return { ...process, failures: afterResumption(process.failures, issuedKey(event.data)) };
    case 'CommandRejected':
      return process;
  }
}
