/** One counted request or body. */
export interface InFlight {
  /** Counts it no longer; more than once does nothing. */
  leave(): void;
}

/** How many there may be at once, of an address and of a school. */
export interface InFlightQuota {
  readonly ofAddress: number;
  readonly ofSchool: number;
}

/** Counts what is in flight, by address and by school. */
export class InFlightCount<T> {
  readonly #quota: InFlightQuota;
  readonly #counted = new Map<string, Set<T>>();

  constructor(quota: InFlightQuota) {
    this.#quota = quota;
  }

  /** Which quota is used up, that of the address first; undefined when neither is. */
  full(address: string, school: string): 'address' | 'school' | undefined {
    if ((this.#counted.get(`a ${address}`)?.size ?? 0) >= this.#quota.ofAddress) return 'address';
    return (this.#counted.get(`s ${school}`)?.size ?? 0) >= this.#quota.ofSchool ? 'school' : undefined;
  }

  /** The oldest under the quota that is used up. */
  oldest(address: string, school: string): T | undefined {
    const of = this.full(address, school);
    if (!of) return undefined;
    const [first] = this.#counted.get(of === 'address' ? `a ${address}` : `s ${school}`)!;
    return first;
  }

  enter(counted: T, address: string, school: string): InFlight {
    const keys = [`a ${address}`, `s ${school}`];
    for (const key of keys) {
      const before = this.#counted.get(key);
      if (before) before.add(counted);
      else this.#counted.set(key, new Set([counted]));
    }
    return {
      leave: () => {
        for (const key of keys) {
          const among = this.#counted.get(key);
          if (among?.delete(counted) && among.size === 0) this.#counted.delete(key);
        }
      },
    };
  }
}
