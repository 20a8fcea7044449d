/** Tells listeners that a lane grew. Best effort: a listener that throws stops neither the writer nor the others. */
export class ChangeListeners {
  readonly #listeners = new Set<(lane: number) => void>();

  /** Returns the way to stop listening. */
  listen(listener: (lane: number) => void): () => void {
    // A listener that is given twice is called twice, and removed once.
    const own = (lane: number): void => listener(lane);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  ring(lane: number): void {
    for (const listener of this.#listeners)
      try {
        listener(lane);
      } catch {
        continue;
      }
  }
}
