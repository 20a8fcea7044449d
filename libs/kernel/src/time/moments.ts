/** Those of this process who wait for the moments of a period, and the timer of the next one. */
class Moments {
  readonly #listeners = new Set<() => void>();
  readonly #period: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(period: number) {
    this.#period = period;
  }

  /** Returns the function that ends it. */
  listen(listener: () => void): () => void {
    // One that listens twice is called twice.
    const own = (): void => listener();
    this.#listeners.add(own);
    if (!this.#timer) this.#plan();
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size > 0) return;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  #plan(): void {
    const left = this.#period - (performance.now() % this.#period);
    // A timer may be a moment early: that one was this moment's, not the next one's.
    const wait = Math.ceil(left < this.#period / 10 ? left + this.#period : left);
    this.#timer = setTimeout(() => {
      this.#plan();
      const due = [...this.#listeners];
      for (const listener of due) if (this.#listeners.has(listener)) listener();
    }, wait);
  }
}

/** By the period; a process has a handful of periods. */
const moments = new Map<number, Moments>();

/**
 * Calls back every so many milliseconds, at moments that are the same for all of this process who name the same period, in
 * one turn of the event loop: what dozens of them ask a server for is then asked once. Returns the function that ends it.
 * The callback must not throw.
 */
export function atMoments(period: number, listener: () => void): () => void {
  const known = moments.get(period) ?? new Moments(period);
  moments.set(period, known);
  return known.listen(listener);
}

/** Resolves at the next moment of a period, or when it is aborted. */
export function nextMoment(period: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      end();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const end = atMoments(period, done);
    signal.addEventListener('abort', done);
  });
}
