import type { Query } from '@lyceum/documents';
import { Problem } from '../replies/problem.ts';

/** A part of a file, and where the next one begins. */
export interface CsvPage {
  readonly text: string;
  readonly after: NonNullable<Query['after']> | undefined;
}

/** Files of one school at the same time, of one kind and in this process. */
const mostAtOnce = 2;

/** Files that are as long as what they list: written page after page, as fast as they are taken. */
export class CsvFiles {
  readonly #running = new Map<string, number>();

  /**
   * The whole file of a school. The first page is read before it is given, so that it can still be refused. Throws the 503
   * problem where two are under way.
   */
  async of(
    school: string,
    header: string,
    read: (after: CsvPage['after']) => Promise<CsvPage>,
  ): Promise<AsyncIterable<string>> {
    if ((this.#running.get(school) ?? 0) >= mostAtOnce)
      throw new Problem('temporarily_unavailable', 'Two exports of this school are under way already', {
        headers: { 'Retry-After': '10' },
      });
    return this.#text(school, header, await read(undefined), read);
  }

  async *#text(school: string, header: string, first: CsvPage, read: (after: CsvPage['after']) => Promise<CsvPage>) {
    this.#running.set(school, (this.#running.get(school) ?? 0) + 1);
    try {
      yield header;
      for (let page: CsvPage | undefined = first; page;) {
        yield page.text;
        page = page.after && (await read(page.after));
      }
    } finally {
      const left = (this.#running.get(school) ?? 1) - 1;
      if (left > 0) this.#running.set(school, left);
      else this.#running.delete(school);
    }
  }
}
