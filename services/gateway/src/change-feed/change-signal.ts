import type { FactSource } from '@lyceum/contracts';
import type { FactHistory } from '@lyceum/internal-api';

/** Wakes those who wait for news of a school. Best effort: whoever waits also looks now and then. */
export class ChangeSignal {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #following: readonly { close(): Promise<void> }[];

  constructor(sources: ReadonlyMap<FactSource, FactHistory>) {
    this.#following = [...sources.values()].map((history) => history.follow((school) => this.#ring(school)));
  }

  /** Calls `wake` at everything new of the school, until the returned function is called. */
  listen(school: string, wake: () => void): () => void {
    const waiting = this.#waiting.get(school) ?? new Set();
    this.#waiting.set(school, waiting.add(wake));
    return () => {
      waiting.delete(wake);
      if (waiting.size === 0 && this.#waiting.get(school) === waiting) this.#waiting.delete(school);
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#following.map((each) => each.close()));
  }

  #ring(school: string): void {
    for (const wake of this.#waiting.get(school) ?? []) wake();
  }
}
