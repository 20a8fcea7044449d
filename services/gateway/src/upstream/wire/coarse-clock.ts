/** Milliseconds between two ticks. */
const tick = 250;

/**
 * Counts ticks while somebody needs them, for waits that may be a little too long: one timer stands for all. A process that
 * was too busy to tick has not let anybody's time run out.
 */
export class CoarseClock {
  readonly #onTick: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** Ticks so far. */
  now = 0;

  constructor(onTick: () => void) {
    this.#onTick = onTick;
  }

  /** The tick at which so many milliseconds are over for certain. */
  static ticks = (milliseconds: number): number => Math.ceil(milliseconds / tick) + 1;

  start(): void {
    this.#timer ??= setInterval(() => {
      this.now += 1;
      this.#onTick();
    }, tick).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
