import { setTimeout as delay } from 'node:timers/promises';
import type { ModulePorts } from '../module.ts';
import type { Work } from '../running/leases.ts';

/** Milliseconds between two tries to finish what was left half done, at most. */
const longestWait = 5_000;

interface FinishingOptions extends Pick<ModulePorts, 'logger'> {
  /** Resolves when everything is projected. */
  caughtUp(signal: AbortSignal): Promise<void>;
  /** Finishes what was left half done. */
  resume(): Promise<void>;
}

/** What one process does once the projections have caught up, wherever they run. */
export class Finishing implements Work {
  readonly #options: FinishingOptions;
  readonly #closing = new AbortController();
  #done: Promise<void> | undefined;

  constructor(options: FinishingOptions) {
    this.#options = options;
  }

  /** Resolves when it is done. Throws what keeps it from being done; then it is tried again at the next call. */
  done(): Promise<void> {
    return (this.#done ??= this.#finish().catch((error: unknown) => {
      this.#done = undefined;
      throw error;
    }));
  }

  /** Tries until it is done: a log or documents that are away, or hold an election, are no reason to leave it undone. */
  async keepTrying(): Promise<void> {
    const { signal } = this.#closing;
    for (let wait = 100; !signal.aborted; wait = Math.min(wait * 2, longestWait)) {
      try {
        return await this.done();
      } catch (err) {
        if (signal.aborted) return;
        this.#options.logger.error({ err }, 'finishing what was left half done failed; it is tried again');
      }
      await delay(wait, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
  }

  async #finish(): Promise<void> {
    const { signal } = this.#closing;
    await this.#options.caughtUp(signal);
    signal.throwIfAborted();
    await this.#options.resume();
  }
}
