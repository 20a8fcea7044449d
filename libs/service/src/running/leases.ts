import { setTimeout as delay } from 'node:timers/promises';
import { CheckpointFenced, type Collection, type Documents } from '@lyceum/documents';

/** Work that only one process of a service does at a time. */
export interface Work {
  close(): Promise<void>;
}

/** A lasting request to do some work, for as long as the process runs. */
export interface Contender<W extends Work = Work> {
  /** The work, while it is this process's. */
  current(): W | undefined;
  /** Ends the work and gives the lease back, so that another process begins within a second. */
  close(): Promise<void>;
}

/** Who may do what only one process should do. */
export interface Leases {
  /**
   * Does the work whenever this process has the lease: `begin` is called with a fencing token that only grows. When the
   * lease is lost, the work is closed and the wish stands. A process that was stopped and woken may go on for a moment
   * beside its successor: whatever the work does must bear repetition.
   */
  contend<W extends Work>(name: string, begin: (token: number) => Promise<W>): Contender<W>;
  /**
   * Gives all leases back and waits for a moment, so that another process may have them: for one that met what it does not
   * know. Where nobody takes them, the work goes on here. Asked again soon, it changes nothing.
   */
  stepAside?(): void;
}

/**
 * Does work in one process at a time. Without leases this process is the only one: the work has begun when this resolves,
 * and what `begin` throws is thrown.
 */
export async function inOneProcess<W extends Work>(
  leases: Leases | undefined,
  name: string,
  begin: () => Promise<W>,
): Promise<Contender<W>> {
  if (leases) return leases.contend(name, begin);
  const work = await begin();
  return { current: () => work, close: () => work.close() };
}

/** The leases of the one process that can have the data: it has every one, at once. */
export const soleLeases = (onError: (error: unknown, name: string) => void): Leases => ({
  contend<W extends Work>(name: string, begin: (token: number) => Promise<W>): Contender<W> {
    const closing = new AbortController();
    let work: W | undefined;
    const begun = (async () => {
      while (!work && !closing.signal.aborted)
        try {
          work = await begin(1);
        } catch (error) {
          onError(error, name);
          await delay(1_000, undefined, { signal: closing.signal }).catch(() => undefined);
        }
    })();
    return {
      current: () => work,
      async close() {
        closing.abort();
        await begun;
        await work?.close();
      },
    };
  },
});

/** How leases beat, milliseconds. */
export interface LeaseTimes {
  /** Between two signs of life. */
  readonly beat: number;
  /** Between two looks of those who wait. */
  readonly look: number;
  /** Without a sign of life the holder counts as dead. */
  readonly lifetime: number;
  /** How long a process that steps aside leaves its leases to others, and how long it does not do so again. */
  readonly aside?: number;
  readonly notAgain?: number;
}

const standard: LeaseTimes = { beat: 1_000, look: 400, lifetime: 4_000 };
const [usuallyAside, usuallyNotAgain] = [5_000, 60_000];

/** When a process leaves its leases to others. */
class Aside {
  readonly #times: LeaseTimes;
  #until = -Infinity;
  #next = -Infinity;

  constructor(times: LeaseTimes) {
    this.#times = times;
  }

  get isNow(): boolean {
    return performance.now() < this.#until;
  }

  step(): void {
    const now = performance.now();
    const { aside = usuallyAside, notAgain = usuallyNotAgain } = this.#times;
    if (now < this.#next) return;
    [this.#until, this.#next] = [now + aside, now + notAgain];
  }
}

const collection: Collection = { name: 'leases', version: 1, fields: {} };
const [beats, released] = [0, 1];

/**
 * Leases as counters in the documents. The holder moves the counter from n to n+1 with each sign of life, which succeeds
 * for one process only; a process that sees no change for a lifetime on its own clock moves it, and has the lease. The
 * clocks of machines are never compared. `onError` gets failed tries.
 */
export function documentLeases(
  documents: Documents,
  onError: (error: unknown, name: string) => void,
  times: LeaseTimes = standard,
): Leases {
  const aside = new Aside(times);
  return {
    stepAside: () => aside.step(),
    contend(name, begin) {
      const report = (error: unknown) => onError(error, name);
      const contender = new DocumentContender({ documents, name, times, aside, onError: report }, begin);
      return { current: () => contender.work, close: () => contender.close() };
    },
  };
}

interface ContenderOptions {
  readonly documents: Documents;
  readonly name: string;
  readonly times: LeaseTimes;
  readonly aside: Aside;
  readonly onError: (error: unknown) => void;
}

class DocumentContender<W extends Work> {
  readonly #documents: Documents;
  readonly #name: string;
  readonly #begin: (token: number) => Promise<W>;
  readonly #times: LeaseTimes;
  readonly #aside: Aside;
  readonly #onError: (error: unknown) => void;
  readonly #closing = new AbortController();
  readonly #done: Promise<void>;
  work: W | undefined;

  constructor({ documents, name, times, aside, onError }: ContenderOptions, begin: (token: number) => Promise<W>) {
    this.#aside = aside;
    this.#documents = documents;
    this.#name = name;
    this.#begin = begin;
    this.#times = times;
    this.#onError = onError;
    this.#done = this.#run();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#done;
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      try {
        const token = await this.#acquire();
        if (token !== undefined) await this.#hold(token);
      } catch (error) {
        this.#onError(error);
        await this.#wait(this.#times.beat);
      }
    }
  }

  /** Waits until the lease is free, or its holder dead, and takes it. Undefined when closed before. */
  async #acquire(): Promise<number | undefined> {
    await this.#documents.open(collection);
    for (let seen = -1, since = 0; !this.#closed; await this.#next(this.#times.look)) {
      const [counter, given] = await Promise.all([this.#counter(beats), this.#counter(released)]);
      if (counter !== seen) [seen, since] = [counter, performance.now()];
      const isFree = given === counter;
      if (this.#aside.isNow) continue;
      if (!isFree && performance.now() - since < this.#times.lifetime) continue;
      if (await this.#move(beats, counter, counter + 1)) return counter + 1;
    }
    return undefined;
  }

  /** Works until the lease is lost or given back. */
  async #hold(token: number): Promise<void> {
    let counter = token;
    let moved = true;
    try {
      this.work = await this.#begin(token);
      for (let alive = performance.now(); moved && !this.#closed && !this.#aside.isNow;) {
        await this.#next(this.#times.beat);
        try {
          moved = await this.#move(beats, counter, counter + 1);
          if (moved) [counter, alive] = [counter + 1, performance.now()];
        } catch (error) {
          this.#onError(error);
          // Others will count this process as dead soon: it must have stopped before.
          if (performance.now() - alive > this.#times.lifetime - 2 * this.#times.beat) moved = false;
        }
      }
    } finally {
      await this.work?.close();
      this.work = undefined;
      if (moved) await this.#giveBack(counter).catch(this.#onError);
    }
  }

  async #giveBack(counter: number): Promise<void> {
    await this.#move(released, await this.#counter(released), counter);
  }

  #counter(lane: number): Promise<number> {
    return this.#documents.checkpoint(collection, this.#name, lane);
  }

  /** False when another process moved it first. */
  async #move(lane: number, from: number, to: number): Promise<boolean> {
    try {
      await this.#documents.apply(collection, this.#name, lane, from, to, []);
      return true;
    } catch (error) {
      if (error instanceof CheckpointFenced) return false;
      throw error;
    }
  }

  /** All leases of a process beat at one time, and are looked at at one time: the documents do it in one step. */
  #next(period: number): Promise<void> {
    return this.#wait(period - (performance.now() % period));
  }

  async #wait(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }
}
