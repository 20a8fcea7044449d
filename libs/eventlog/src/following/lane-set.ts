/** The lanes of a log that a process works on, which change while it does. */
export class LaneSet {
  readonly #listeners = new Set<() => Promise<void>>();
  #lanes: ReadonlySet<number>;

  constructor(lanes: Iterable<number> = []) {
    this.#lanes = new Set(lanes);
  }

  get size(): number {
    return this.#lanes.size;
  }

  has(lane: number): boolean {
    return this.#lanes.has(lane);
  }

  /** `changed` is called after each change, and resolves when nothing is in flight in lanes that are gone. Returns the function that ends it. */
  onChange(changed: () => Promise<void>): () => void {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  }

  /** Resolves when nothing is in flight in the lanes that are gone. One change at a time. */
  async change(lanes: Iterable<number>): Promise<void> {
    const next = new Set(lanes);
    if (next.size === this.#lanes.size && [...next].every((lane) => this.#lanes.has(lane))) return;
    this.#lanes = next;
    await Promise.all(Array.from(this.#listeners, (changed) => changed()));
  }
}
