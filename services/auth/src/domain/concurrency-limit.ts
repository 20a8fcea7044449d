import { FairLine } from '@lyceum/web';

interface Waiting {
  readonly school: string | undefined;
  go(): void;
}

/**
 * Lets a fixed number of jobs run at once; others wait, up to a limit for each school. The jobs of one school keep their
 * order, and the schools take turns: one that has many jobs holds up none that has few.
 */
export class ConcurrencyLimit {
  readonly #line: FairLine<Waiting>;

  constructor(places: number, queue: number) {
    this.#line = new FairLine(places, queue);
  }

  /** Runs the work of a school when its turn comes; calls `full` instead when too many of the school wait. */
  async pass<T>(work: () => Promise<T>, full: () => T, school?: string): Promise<T> {
    const line = this.#line;
    if (line.mayTake(school) && !line.hasLine(school)) line.took(school);
    else {
      let go = (): void => undefined;
      const turn = new Promise<void>((resolve) => (go = resolve));
      if (!line.join({ school, go })) return full();
      await turn;
    }
    try {
      return await work();
    } finally {
      line.gave(school);
      for (let next = line.next(); next; next = line.next()) {
        line.took(next.school);
        next.go();
      }
    }
  }
}
