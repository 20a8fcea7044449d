import { setTimeout as pause } from 'node:timers/promises';
import { nextMoment } from '@lyceum/kernel';

/** A caller was still waiting when the lifetime ended. */
class Ended extends Error {
  override readonly name = 'Ended';
}

/** The time from start to close of something that works in the background: waiting in it ends with it. */
export class Lifetime {
  readonly #end = new AbortController();
  readonly #message: string;

  constructor(message: string) {
    this.#message = message;
  }

  get hasEnded(): boolean {
    return this.#end.signal.aborted;
  }

  end(): void {
    this.#end.abort(new Ended(this.#message));
  }

  /** Throws `Ended` afterwards. */
  check(): void {
    this.#end.signal.throwIfAborted();
  }

  /** Waits for the time to pass, or for the end. With `ref: false` the process does not stay up for it. */
  async pause(milliseconds: number, { ref = true } = {}): Promise<void> {
    await pause(milliseconds, undefined, { signal: this.#end.signal, ref }).catch(() => undefined);
  }

  /** Waits for the next moment of a period, which all of this process who name that period have in common, or for the end. */
  nextMoment(period: number): Promise<void> {
    return nextMoment(period, this.#end.signal);
  }

  /** The result of the work, or `Ended` at the end, whichever comes first. */
  unlessEnded<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#end;
    return new Promise<T>((resolve, reject) => {
      const stop = () => reject(signal.reason as Error);
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop, { once: true });
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    });
  }
}
