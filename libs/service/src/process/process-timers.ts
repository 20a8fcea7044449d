import { setTimeout as pause } from 'node:timers/promises';
import type { Documents } from '@lyceum/documents';
import { type DomainEvent, isoTime, uuidv5 } from '@lyceum/kernel';
import type { WorkPool } from '../reactions/work-pool.ts';
import { type PendingTimer, dueTimers, nextDue } from './process-index.ts';
import type { ProcessPorts, ProcessStreams } from './process-stream.ts';

const usualPoll = 1_000;
/** Milliseconds after which the index is read again, whatever is known of it. */
const longestQuiet = 10_000;
/** Due timers that wait to be fired; beyond, others are found when these have been. */
const mostFiring = 10_000;

/** What timers work with. */
interface TimerOptions {
  readonly name: string;
  readonly ports: ProcessPorts;
  /** Fires them, between the commands of the same processes. */
  readonly pool: WorkPool;
  /** Reads the index of pending timers. */
  readonly index: Documents;
  /** How often the index of pending timers has changed, as far as this process knows. */
  readonly changes: () => number;
  /** Resolves when there is an index to read; rejects when the process is closed before. */
  readonly built: Promise<void>;
  /** Milliseconds between looks; 1000 when not given. */
  readonly poll?: number;
  readonly closing: AbortSignal;
}

/** Fires the timers of one kind of process when they are due, and has what failed tried again when it is time. */
export class ProcessTimers<State, Event extends DomainEvent, Command> {
  readonly #streams: ProcessStreams<State, Event, Command>;
  readonly #options: TimerOptions;
  readonly #firing = new Map<string, Promise<void>>();
  /** What the last look found out: when the next timer is due, as long as the index does not change. */
  #known: { readonly changes: number; readonly at: number; readonly due: string | undefined } | undefined;
  /** Resolves when it has stopped, after `closing`. */
  readonly done: Promise<void>;

  constructor(streams: ProcessStreams<State, Event, Command>, options: TimerOptions) {
    this.#streams = streams;
    this.#options = options;
    this.done = this.#poll();
  }

  /** Fires what is due now, each once; resolves when it is fired, or the process closed. */
  async fireDue(): Promise<void> {
    await Promise.race([Promise.all(await this.#look()), this.done]);
  }

  /** Has the pool fire what is due: no process waits for another one's timer. */
  async #look(): Promise<readonly Promise<void>[]> {
    const { name, ports, index, changes } = this.#options;
    const now = isoTime(ports.clock.now());
    const [before, at] = [changes(), performance.now()];
    this.#known = undefined;
    const all: Promise<void>[] = [];
    for (let page = await dueTimers(index, name, now); ; page = await dueTimers(index, name, now, page.next)) {
      for (const due of page.timers) all.push(this.#queue(due, now));
      if (!page.next || this.#firing.size >= mostFiring) break;
    }
    if (all.length === 0) this.#known = { changes: before, at, due: await nextDue(index, name) };
    return all;
  }

  /** Whether it is known, without a look, that nothing is due. */
  get #isQuiet(): boolean {
    const { ports, changes } = this.#options;
    if (!this.#known || this.#known.changes !== changes()) return false;
    if (performance.now() - this.#known.at > longestQuiet) return false;
    return this.#known.due === undefined || this.#known.due > isoTime(ports.clock.now());
  }

  #queue(due: PendingTimer, now: string): Promise<void> {
    const { tenant, correlation, timer, version } = due;
    const id = JSON.stringify([tenant, correlation, timer, version]);
    const known = this.#firing.get(id);
    if (known) return known;
    const fired = new Promise<void>((resolve) => {
      const run = () =>
        this.#fire(due, now)
          .catch((err: unknown) => this.#report(err, 'a timer could not be fired; it is tried again'))
          .then(() => void this.#firing.delete(id))
          .then(resolve)
          .then(() => undefined);
      this.#options.pool.add({ tenant, key: correlation, run });
    });
    this.#firing.set(id, fired);
    return fired;
  }

  async #fire({ tenant, correlation, timer, version, retries: issued }: PendingTimer, now: string): Promise<void> {
    const own = [tenant, this.#options.name, correlation] as const;
    if (issued)
      return this.#streams.execute(tenant, correlation, uuidv5('process-retry', ...own, version), {
        do: 'retry',
        issued,
        version,
      });
    const commitId = uuidv5('process-timer', ...own, timer, version);
    await this.#streams.execute(tenant, correlation, commitId, { do: 'fire', timer, version, now });
  }

  async #poll(): Promise<void> {
    const { poll = usualPoll, closing, built } = this.#options;
    await built.catch(() => undefined);
    while (!closing.aborted) {
      await pause(poll, undefined, { signal: closing }).catch(() => undefined);
      if (closing.aborted) return;
      try {
        if (!this.#isQuiet) await this.#look();
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
