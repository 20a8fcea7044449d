import { setTimeout as pause } from 'node:timers/promises';
import type { Incoming } from '@lyceum/documents';
import { type DomainEvent, type Rejection, isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import type { Issued } from './process-decider.ts';
import { isProcessEvent } from './process-events.ts';
import { type ProcessPorts, type ProcessStreams, actor } from './process-stream.ts';
import { type ProcessManager, correlationOf } from './process.ts';

const usualTries = 5;
const usualBackoff = (failures: number): number => Math.min(50 * 2 ** failures, 2_000);

/** How commands are carried out. */
interface CommandOptions {
  /** Milliseconds before the next try of a command after so many failures. */
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

  /** Carries out the commands of an event, if it is one of these processes that issues or resumes some. */
  async carryOut(event: Incoming): Promise<void> {
    const correlation = correlationOf(this.#manager.name, event.stream);
    if (correlation === undefined) return;
    if (!isProcessEvent(event)) return;
    const { type, data } = event;
    if (type === 'CommandsIssued')
      for (const [index, command] of data.commands.entries())
        await this.#carryOut(event, correlation, command as Command, { version: event.version, index });
    if (type === 'ProcessResumed') {
      const { issued } = await this.#streams.state(event.tenant, correlation);
      await this.#carryOut(event, correlation, issued[data.version]![data.index]!, data);
    }
  }

  async #carryOut({ tenant, version }: Incoming, correlation: string, command: Command, issued: Issued): Promise<void> {
    const own = [tenant, this.#manager.name, correlation, issued.version, issued.index] as const;
    const at = isoTime(this.#ports.clock.now());
    const order = { tenant, correlation, meta: actor, at, commitId: uuidv5('process-command', ...own) };
    const outcome = await this.#tried(() => this.#manager.carryOut(command, order, this.#ports));
    if (outcome instanceof Failed) {
      const { name: kind, message } = outcome.cause as Error;
      const error = `${kind}: ${message}`.slice(0, 500);
      // One round of tries ends once: `version` is that of the event that asked for this round.
      const commitId = uuidv5('process-stuck', ...own, version);
      await this.#streams.execute(tenant, correlation, commitId, { do: 'stick', issued, error });
    } else if (isRejection(outcome)) {
      const commitId = uuidv5('process-rejected', ...own);
      const { rejected: code } = outcome;
      await this.#streams.execute(tenant, correlation, commitId, { do: 'reject', issued, code, now: at });
    }
  }

  /** Tries as often as the process allows. Throws only when closed meanwhile. */
  async #tried(work: () => Promise<Rejection | object>): Promise<Rejection | object | Failed> {
    const { tries = usualTries } = this.#manager;
    const { backoff = usualBackoff, closing } = this.#options;
    for (let failures = 1; ; failures += 1)
      try {
        return await work();
      } catch (error) {
        closing.throwIfAborted();
        if (failures >= tries) return new Failed(error);
        await pause(backoff(failures), undefined, { signal: closing });
      }
  }
}

/** A command that failed as often as it may. */
class Failed {
  readonly cause: unknown;

  constructor(cause: unknown) {
    this.cause = cause;
  }
}
