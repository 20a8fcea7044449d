import { FairQueue } from '@lyceum/web';

interface Waiting {
  readonly school: string | undefined;
  go(): void;
}

/**
 * Lets a fixed number of jobs run at once; others wait, up to a limit for each school. The jobs of one school keep their
 * order, and the next place goes to the school that had the fewest: one that has few jobs waits for those that run, not for
 * another one of a school that has many.
 */
export class ConcurrencyLimit {
  readonly #queue: FairQueue<Waiting>;

  constructor(places: number, maxQueued: number) {
    this.#queue = new FairQueue({ places, maxQueued });
  }

  /** Runs the work of a school when its turn comes; calls `full` instead when too many of the school wait. */
  async pass<T>(work: () => Promise<T>, full: () => T, school?: string): Promise<T> {
    const waiting = this.#queue;
    if (waiting.mayStart(school) && !waiting.hasQueued(school)) waiting.started(school);
    else {
      let go = (): void => undefined;
      const turn = new Promise<void>((resolve) => (go = resolve));
      if (!waiting.enqueue({ school, go })) return full();
      await turn;
    }
    try {
      return await work();
    } finally {
      waiting.charge(school, 1);
      waiting.finished(school);
      for (let next = waiting.next(); next; next = waiting.next()) {
        waiting.started(next.school);
        next.go();
      }
    }
  }
}
