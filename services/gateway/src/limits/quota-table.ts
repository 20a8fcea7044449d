import { type Taken, takeUnit } from '@lyceum/ephemeral';
import type { Clock } from '@lyceum/kernel';

/**
 * Quotas of one window length by key, in the memory of this process, answered at once. A key that nobody has taken from
 * for a whole window is whole again, so it is forgotten: keys live in two generations, and each window the older one
 * goes. Holds at most `most` keys per generation.
 */
export class QuotaTable {
  readonly #clock: Clock;
  readonly #window: number;
  readonly #most: number;
  /** When everything taken under a key is refilled, in milliseconds of the clock. */
  #young = new Map<string, number>();
  #old = new Map<string, number>();
  #since: number;

  /** `window` in milliseconds. */
  constructor(clock: Clock, window: number, most = 200_000) {
    this.#clock = clock;
    this.#window = window;
    this.#most = most;
    this.#since = clock.now();
  }

  /** Takes one unit of the quota of a key; refused ones change nothing. Undefined when there is no room to count it. */
  take(key: string, quota: number): Taken | undefined {
    const now = this.#clock.now();
    this.#age(now);
    const told = this.#young.get(key) ?? this.#old.get(key);
    if (told === undefined && this.#young.size >= this.#most) return undefined;
    const { debt, ...taken } = takeUnit((told ?? now) - now, quota, this.#window);
    if (taken.taken) this.#young.set(key, now + debt);
    return taken;
  }

  #age(now: number): void {
    // A clock that was set back far counts too, or the generation would never end.
    const age = Math.abs(now - this.#since);
    if (age < this.#window) return;
    this.#old = age < 2 * this.#window ? this.#young : new Map();
    this.#young = new Map();
    this.#since = now;
  }
}
