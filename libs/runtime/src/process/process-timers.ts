import { setTimeout as pause } from 'node:timers/promises';
import type { Documents } from '@lyceum/documents';
import { type DomainEvent, isoTime, uuidv5 } from '@lyceum/kernel';
import { type PendingTimer, dueTimers } from './process-index.ts';
import type { ProcessPorts, ProcessStreams } from './process-stream.ts';

const usualPoll = 1_000;

/** What timers work with. */
interface TimerOptions {
  readonly name: string;
  readonly ports: ProcessPorts;
  /** Reads the index of pending timers. */
  readonly index: Documents;
  /** Resolves when there is an index to read; rejects when the process is closed before. */
  readonly built: Promise<void>;
  /** Milliseconds between looks; 1000 when not given. */
  readonly poll?: number;
  readonly closing: AbortSignal;
}

/** Fires the timers of one kind of process when they are due. */
export class ProcessTimers<State, Event extends DomainEvent, Command> {
  readonly #streams: ProcessStreams<State, Event, Command>;
  readonly #options: TimerOptions;
  /** Resolves when it has stopped, after `closing`. */
  readonly done: Promise<void>;

  constructor(streams: ProcessStreams<State, Event, Command>, options: TimerOptions) {
    this.#streams = streams;
    this.#options = options;
    this.done = this.#poll();
  }

  /** Fires what is due now, each once. */
  async fireDue(): Promise<void> {
    const { name, ports, index } = this.#options;
    const now = isoTime(ports.clock.now());
    for (const due of await dueTimers(index, name, now))
      // One process that cannot take its timer must not keep all others from theirs.
      await this.#fire(due, now).catch((err: unknown) =>
        this.#report(err, 'a timer could not be fired; it is tried again'),
      );
  }

  async #fire({ tenant, correlation, timer, version }: PendingTimer, now: string): Promise<void> {
    const commitId = uuidv5('process-timer', tenant, this.#options.name, correlation, timer, version);
    await this.#streams.execute(tenant, correlation, commitId, { do: 'fire', timer, version, now });
  }

  async #poll(): Promise<void> {
    const { poll = usualPoll, closing, built } = this.#options;
    await built.catch(() => undefined);
    while (!closing.aborted) {
      await pause(poll, undefined, { signal: closing }).catch(() => undefined);
      if (closing.aborted) return;
      try {
        await this.fireDue();
      } catch (err) {
        this.#report(err, 'due timers could not be read; they are tried again');
      }
    }
  }

  #report(err: unknown, message: string): void {
    const { name, ports } = this.#options;
    ports.logger.error({ err, consumer: name }, message);
  }
}
