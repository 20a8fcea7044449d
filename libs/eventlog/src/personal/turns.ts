const nothing = (): void => undefined;

/** Begins work in the order in which it was asked for, lane by lane, although some of it has to wait for something first. */
export class Turns {
  readonly #last = new Map<number, Promise<void>>();

  /** Whether work of the lane waits. */
  busy(lane: number): boolean {
    return this.#last.has(lane);
  }

  /** Begins `work` once `ready` has resolved and everything before it in the lane has begun, or never could. */
  take<Ready, T>(lane: number, ready: Promise<Ready>, work: (ready: Ready) => Promise<T>): Promise<T> {
    // It is looked at only in its turn, which must not make its failure an unhandled one.
    ready.catch(nothing);
    const before = this.#last.get(lane) ?? Promise.resolve();
    const begun = before.then(() => ready).then((value) => ({ outcome: work(value) }));
    const turn = begun.then(nothing, nothing).then(() => {
      if (this.#last.get(lane) === turn) this.#last.delete(lane);
    });
    this.#last.set(lane, turn);
    return begun.then(({ outcome }) => outcome);
  }

  /** Resolves when everything that waits has begun. */
  async over(): Promise<void> {
    await Promise.all(this.#last.values());
  }
}
