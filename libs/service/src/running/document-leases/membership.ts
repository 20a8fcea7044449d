import { nextMoment } from '@lyceum/kernel';
import type { LeaseCounters } from './lease-counters.ts';
import type { LeaseTimes } from './lease-times.ts';

interface MembershipOptions {
  readonly counters: LeaseCounters;
  readonly times: LeaseTimes;
  readonly onError: (error: unknown) => void;
}

/** The counter of a seat. */
export const counterOf = (seat: number): number => seat + 1;

/** A process's place among those that share work: it moves the counter of its seat, as long as it lives. */
export class Membership {
  readonly id: string;
  readonly #options: MembershipOptions;
  readonly #counter: number;
  readonly #closing = new AbortController();
  readonly #done: Promise<void>;
  #at: number;
  #alive = performance.now();
  /** Whether the last sign of life could not be given. */
  #hasFailed = false;
  /** Another process has moved the counter: this one was taken for dead. */
  isLost = false;

  /** `at`: where the counter of the seat stands. */
  constructor(id: string, seat: number, at: number, options: MembershipOptions) {
    this.id = id;
    this.#counter = counterOf(seat);
    this.#at = at;
    this.#options = options;
    this.#done = this.#run();
  }

  /** Whether others will soon count this process as dead, because it could not give a sign of life: it must have stopped before. */
  get isSilent(): boolean {
    const { beat, lifetime } = this.#options.times;
    // A server that is slow to answer is slow for the others, too: what it does answer counts.
    return this.#hasFailed && performance.now() - this.#alive > lifetime - 2 * beat;
  }

  /** Gives no sign of life any more. */
  async end(): Promise<void> {
    this.#closing.abort();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { counters, times, onError } = this.#options;
    const { signal } = this.#closing;
    while (!this.isLost && !signal.aborted) {
      const began = performance.now();
      try {
        if (!(await counters.move(this.#counter, this.#at, this.#at + 1))) this.isLost = true;
        [this.#at, this.#alive, this.#hasFailed] = [this.#at + 1, began, false];
      } catch (error) {
        this.#hasFailed = true;
        onError(error);
      }
      await nextMoment(times.beat, signal);
    }
  }
}
