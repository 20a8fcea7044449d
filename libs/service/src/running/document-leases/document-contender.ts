import { nextMoment } from '@lyceum/kernel';
import { setTimeout as delay } from 'node:timers/promises';
import { LeaseCounters } from './lease-counters.ts';
import type { Aside, LeaseOptions, LeaseTimes } from './lease-times.ts';
import type { Work } from '../leases.ts';

/** The counters of a lease. */
const [beats, released] = [0, 1];

/** Wants one lease, and works while it has it. */
export class DocumentContender<W extends Work> {
  readonly #counters: LeaseCounters;
  readonly #begin: (token: number) => Promise<W>;
  readonly #times: LeaseTimes;
  readonly #aside: Aside;
  readonly #onError: (error: unknown) => void;
  readonly #closing = new AbortController();
  readonly #done: Promise<void>;
  work: W | undefined;

  constructor({ documents, name, times, aside, onError }: LeaseOptions, begin: (token: number) => Promise<W>) {
    this.#aside = aside;
    this.#counters = new LeaseCounters(documents, name);
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
    await this.#counters.open();
    for (let seen = -1, since = 0; !this.#closed; await this.#next(this.#times.look)) {
      const [counter, given] = await Promise.all([this.#counters.read(beats), this.#counters.read(released)]);
      if (counter !== seen) [seen, since] = [counter, performance.now()];
      const isFree = given === counter;
      if (this.#aside.isNow) continue;
      if (!isFree && performance.now() - since < this.#times.lifetime) continue;
      if (await this.#counters.move(beats, counter, counter + 1)) return counter + 1;
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
          moved = await this.#counters.move(beats, counter, counter + 1);
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
    await this.#counters.move(released, await this.#counters.read(released), counter);
  }

  #next(period: number): Promise<void> {
    return nextMoment(period, this.#closing.signal);
  }

  async #wait(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }
}
