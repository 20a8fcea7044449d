/** Lets a fixed number of jobs run at once; others wait in order, up to a limit. */
export class Turnstile {
  readonly #places: number;
  readonly #queue: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number, queue: number) {
    this.#places = places;
    this.#queue = queue;
  }

  /** Runs the work when a place is free; calls `full` instead when the queue is full. */
  async pass<T>(work: () => Promise<T>, full: () => T): Promise<T> {
    if (this.#running >= this.#places) {
      if (this.#waiting.length >= this.#queue) return full();
      await new Promise<void>((go) => this.#waiting.push(go));
    } else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The place passes on to the one who waits, so the count stays.
      if (next) next();
      else this.#running -= 1;
    }
  }
}
