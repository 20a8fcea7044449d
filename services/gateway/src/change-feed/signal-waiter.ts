import type { ChangeSignal } from './change-signal.ts';

/** The signal, and the end of the wait. */
interface Waited {
  readonly signal: Pick<ChangeSignal, 'listen'>;
  /** Aborted when the reader is gone. */
  readonly gone: AbortSignal;
}

/** Waits for the signal, for a while, or for the end. */
export class SignalWaiter {
  isSignalled = false;
  readonly #gone: AbortSignal;
  readonly #silence: () => void;
  #wake: () => void = () => {};

  constructor({ signal, gone }: Waited, school: string) {
    this.#gone = gone;
    this.#silence = signal.listen(school, () => {
      this.isSignalled = true;
      this.#wake();
    });
    gone.addEventListener('abort', this.#end);
  }

  async wait(ms: number): Promise<void> {
    if (this.isSignalled || this.#gone.aborted) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
  }

  /** Waits for the signal, looking each `step` whether it is over: both milliseconds. The signal is reset afterwards. */
  async waitFor(ms: number, step: number, currentReader: () => unknown): Promise<void> {
    const until = Date.now() + ms;
    for (let left = ms; left > 0 && !this.isSignalled && !this.#gone.aborted; left = until - Date.now()) {
      await this.wait(Math.min(step, left));
      if (currentReader() === 'over') break;
    }
    this.isSignalled = false;
  }

  close(): void {
    this.#silence();
    this.#gone.removeEventListener('abort', this.#end);
  }

  readonly #end = (): void => this.#wake();
}
