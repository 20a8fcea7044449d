/** Failures in a row after which an instance is left alone. */
const mostFailures = 5;
/** Milliseconds that it is left alone, at first and at most. */
const [shortest, longest] = [500, 10_000];

/**
 * Spares an instance that does not answer, and its callers the wait: after some failures in a row nothing is sent for a
 * while, then one request tries. `now` gives milliseconds that only grow.
 */
export class Breaker {
  readonly #now: () => number;
  #failures = 0;
  #rest = shortest;
  #until = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether it is left alone, but for trials. */
  get isResting(): boolean {
    return this.#failures >= mostFailures;
  }

  /** Whether a request may be sent; when the rest is over, the one who asks is the trial, and others wait for its end. */
  admits(): boolean {
    if (!this.isResting) return true;
    if (this.#now() < this.#until) return false;
    this.#until = this.#now() + this.#rest;
    return true;
  }

  /** Milliseconds until the next trial. */
  get wait(): number {
    return Math.max(0, this.#until - this.#now());
  }

  /** It answered, whatever it said. */
  answered(): void {
    this.#failures = 0;
    this.#rest = shortest;
    this.#until = 0;
  }

  /** It could not be reached, or did not answer. */
  failed(): void {
    this.#failures += 1;
    if (this.#failures < mostFailures) return;
    this.#until = this.#now() + this.#rest;
    this.#rest = Math.min(this.#rest * 2, longest);
  }
}
