import { type Taken, takeUnit } from '@lyceum/ephemeral';
import type { Clock } from '@lyceum/kernel';
import { ExpiringMap } from './expiring-map.ts';

/** Quotas of one window length by key. */
export interface Quotas {
  /**
   * Takes one unit of the quota of a key; refused ones change nothing. Undefined when the table is full; a
   * promise, which never rejects, only where others have to be asked.
   */
  take(key: string, quota: number): Taken | undefined | Promise<Taken | undefined>;
}

/**
 * Quotas in the memory of this process, answered at once. A key that was not taken from for a whole window is whole
 * again, so it is forgotten.
 */
export class QuotaTable implements Quotas {
  readonly #clock: Clock;
  readonly #window: number;
  /** When everything taken under a key is refilled, in milliseconds of the clock. */
  readonly #whole: ExpiringMap<number>;

  /** `window` in milliseconds; counts at most twice `most` keys. */
  constructor(clock: Clock, window: number, most = 200_000) {
    this.#clock = clock;
    this.#window = window;
    this.#whole = new ExpiringMap(window, most, clock.now());
  }

  take(key: string, quota: number): Taken | undefined {
    const now = this.#clock.now();
    const whole = this.#whole.get(key, now);
    const { debt, ...taken } = takeUnit((whole ?? now) - now, quota, this.#window);
    if (taken.taken && !this.#whole.put(key, now + debt)) return undefined;
    return taken;
  }
}
