/** Wakes one sleeper. A ring while nobody sleeps is remembered, so it cannot fall between a look and a sleep. */
export class ChangeSignal {
  #rung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Resolves at the next ring, or after `milliseconds` when they are given. */
  async sleep(milliseconds?: number): Promise<void> {
    if (!this.#rung)
      await new Promise<void>((resolve) => {
        const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.#rung = false;
    this.#wake = undefined;
  }
}
