/** One who works on a file. */
interface Working {
  /** Ends the work soon; absent where it is not to be disturbed. */
  readonly stop: (() => void) | undefined;
  readonly done: Promise<unknown>;
}

/** The file is being worked on by one who is not to be disturbed. */
export class Busy extends Error {
  override readonly name = 'Busy';
}

/**
 * One at a time works on a file, in this process. A sender gives way to the next: the connection of the one before is
 * mostly dead, and its client has come back. A check gives way to nobody.
 */
export class Turns {
  readonly #working = new Map<string, Working>();

  /** Works on the file of this id when it is free. Throws `Busy` when it does not become so. */
  async take<T>(id: string, stop: (() => void) | undefined, work: () => Promise<T>): Promise<T> {
    for (let before = this.#working.get(id); before; before = this.#working.get(id)) {
      if (!before.stop) throw new Busy('the file is being checked');
      before.stop();
      await before.done;
    }
    const done = work();
    const working: Working = { stop, done: done.catch(() => undefined) };
    this.#working.set(id, working);
    try {
      return await done;
    } finally {
      this.#working.delete(id);
    }
  }
}
