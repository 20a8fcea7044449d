import type { Documents } from '@lyceum/documents';

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

export const usualTimes: LeaseTimes = { beat: 1_000, look: 500, lifetime: 4_000 };
const [usuallyAside, usuallyNotAgain] = [5_000, 60_000];

/** When a process leaves its leases to others. */
export class Aside {
  readonly #times: LeaseTimes;
  /** Whether it ever did: then it met what it does not know, and would again. */
  hasStepped = false;
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
    this.hasStepped = true;
    if (now < this.#next) return;
    [this.#until, this.#next] = [now + aside, now + notAgain];
  }
}

/** What a process wants leases with. */
export interface LeaseOptions {
  readonly documents: Documents;
  readonly name: string;
  readonly times: LeaseTimes;
  readonly aside: Aside;
  readonly onError: (error: unknown) => void;
}
