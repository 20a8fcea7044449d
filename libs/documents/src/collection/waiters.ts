interface Waiter {
  readonly position: number;
  readonly settle: (reached: boolean) => void;
}

/** Callers that wait until a checkpoint reaches a position. */
export class Waiters {
  readonly #waiting = new Map<string, Set<Waiter>>();

  /** Resolves true when `reached` tells of the position, false after `timeout` milliseconds or when all is ended. */
  wait(key: string, position: number, timeout: number): Promise<boolean> {
    return new Promise((resolve) => {
      const all = this.#waiting.get(key) ?? new Set<Waiter>();
      this.#waiting.set(key, all);
      const timer = setTimeout(() => waiter.settle(false), timeout);
      const waiter: Waiter = {
        position,
        settle: (reached) => {
          clearTimeout(timer);
          all.delete(waiter);
          if (all.size === 0 && this.#waiting.get(key) === all) this.#waiting.delete(key);
          resolve(reached);
        },
      };
      all.add(waiter);
    });
  }

  /** Tells that a checkpoint stands at a position. */
  reached(key: string, position: number): void {
    for (const waiter of this.#waiting.get(key) ?? []) if (waiter.position <= position) waiter.settle(true);
  }

  /** Ends every wait with false. */
  end(): void {
    for (const all of this.#waiting.values()) for (const waiter of all) waiter.settle(false);
  }
}
