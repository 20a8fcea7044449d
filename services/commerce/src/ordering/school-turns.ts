import { Problem } from '@lyceum/web';

/** How many checkouts of one school may wait in this process. */
const most = 256;

/**
 * Lets the checkouts of one school take turns in this process: they all write the number of an order, so that side by side
 * all but one would be decided again. Between processes the log decides.
 */
export class SchoolTurns {
  readonly #lines = new Map<string, { last: Promise<unknown>; waiting: number }>();

  /** Does the work when it is its turn. Throws the 503 problem when too many wait. */
  async take<T>(school: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(school) ?? { last: Promise.resolve(), waiting: 0 };
    this.#lines.set(school, line);
    if (line.waiting >= most)
      throw new Problem('temporarily_unavailable', 'Many people buy at this moment; retry', {
        headers: { 'Retry-After': '1' },
      });
    line.waiting += 1;
    const own = line.last.then(work);
    line.last = own.catch(() => undefined);
    try {
      return await own;
    } finally {
      line.waiting -= 1;
      if (line.waiting === 0) this.#lines.delete(school);
    }
  }
}
