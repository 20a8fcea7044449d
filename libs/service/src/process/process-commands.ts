import { setTimeout as pause } from 'node:timers/promises';
import type { Incoming } from '@lyceum/documents';
import { type DomainEvent, type Rejection, isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import { NeedsOperator } from './needs-operator.ts';
import type { Issued } from './process-decider.ts';
import { isProcessEvent } from './process-events.ts';
import { type ProcessPorts, type ProcessStreams, actor } from './process-stream.ts';
import { type ProcessManager, correlationOf } from './process.ts';

/** Tries at once; the others come by timer, so that no turn of the school is kept by what fails. */
const usualTries = 3;
const usualBackoff = (failures: number): number => 50 * 2 ** failures;

/** How commands are carried out. */
interface CommandOptions {
  /** Milliseconds before the next try at once of a command after so many failures. */
  readonly backoff?: (failures: number) => number;
  /** Ends the tries. */
  readonly closing: AbortSignal;
}

/** Carries out what processes ask for, from their streams. */
export class ProcessCommands<State, Event extends DomainEvent, Command, Ports extends ProcessPorts> {
  readonly #manager: ProcessManager<State, Event, Command, Ports>;
  readonly #ports: Ports;
  readonly #streams: ProcessStreams<State, Event, Command>;
  readonly #options: CommandOptions;

  constructor(
    manager: ProcessManager<State, Event, Command, Ports>,
    ports: Ports,
    streams: ProcessStreams<State, Event, Command>,
    options: CommandOptions,
  ) {
    this.#manager = manager;
    this.#ports = ports;
    this.#streams = streams;
    this.#options = options;
  }

  /**
   * Carries out the commands of an event, if it is one of these processes that issues or resumes some. What is resumed is
   * tried once: it has a timer for the next time.
   */
  async carryOut(event: Incoming): Promise<void> {
    const correlation = correlationOf(this.#manager.name, event.stream);
    if (correlation === undefined) return;
    if (!isProcessEvent(event)) return;
    const { type, data } = event;
    if (type === 'CommandsIssued')
      for (const [index, command] of data.commands.entries())
        await this.#carryOut(event, correlation, {
          command: command as Command,
          issued: { version: event.version, index },
          tries: this.#manager.tries ?? usualTries,
        });
    if (type === 'ProcessResumed') {
      const { issued, failures } = await this.#streams.state(event.tenant, correlation);
      const command = issued[data.version]![data.index]!;
      const resumed = failures.failing[`${data.version}.${data.index}`] === undefined;
      await this.#carryOut(event, correlation, { command, issued: data, tries: 1, resumed });
    }
  }

  async #carryOut(
    { tenant, version }: Incoming,
    correlation: string,
    { command, issued, tries, resumed = false }: Round<Command>,
  ): Promise<void> {
    const own = [tenant, this.#manager.name, correlation, issued.version, issued.index] as const;
    const at = isoTime(this.#ports.clock.now());
    const order = { tenant, correlation, meta: actor, at, commitId: uuidv5('process-command', ...own), resumed };
    const outcome = await this.#tried(() => this.#manager.carryOut(command, order, this.#ports), tries);
    if (outcome instanceof Failed) {
      // One round of tries ends once: `version` is that of the event that asked for this round.
      const commitId = uuidv5('process-stuck', ...own, version);
      await this.#streams.execute(tenant, correlation, commitId, {
        do: 'stick',
        issued,
        error: outcome.words,
        needsOperator: outcome.cause instanceof NeedsOperator,
        // Known to nobody before, and the same when this is repeated.
        spread: Number.parseInt(commitId.slice(0, 8), 16) / 2 ** 32,
        now: isoTime(this.#ports.clock.now()),
      });
    } else if (isRejection(outcome)) {
      const commitId = uuidv5('process-rejected', ...own);
      const { rejected: code } = outcome;
      await this.#streams.execute(tenant, correlation, commitId, { do: 'reject', issued, code, now: at });
    }
  }

  /** Tries so often in a row. Throws only when closed meanwhile. */
  async #tried(work: () => Promise<Rejection | object>, tries: number): Promise<Rejection | object | Failed> {
    const { backoff = usualBackoff, closing } = this.#options;
    for (let failures = 1; ; failures += 1)
      try {
        return await work();
      } catch (error) {
        closing.throwIfAborted();
        if (failures >= tries || error instanceof NeedsOperator) return new Failed(error);
        await pause(backoff(failures), undefined, { signal: closing });
      }
  }
}

/** A command, the event that issued it, and how often it is tried now. */
interface Round<Command> {
  readonly command: Command;
  readonly issued: Issued;
  readonly tries: number;
  /** Whether an operator wants it. */
  readonly resumed?: boolean;
}

/** A command that failed as often as it may in a row. */
class Failed {
  readonly cause: unknown;

  constructor(cause: unknown) {
    this.cause = cause;
  }

  /** What operators read. */
  get words(): string {
    if (this.cause instanceof NeedsOperator) return this.cause.message.slice(0, 500);
    const { cause } = this;
    return (cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)).slice(0, 500);
  }
}
