import { BoundedMap, jsonCopy, shared } from '@lyceum/kernel';
import type { Backfill, Message } from '../port.ts';

type Page = readonly Message[];

/** Pages that stay at once, and for how many milliseconds at most. */
const [most, stay] = [64, 1_000];

/**
 * The history of a source inside this process. Half a dozen followers begin at the same place at a start: a page is read
 * once, and copied once, for all who ask for it at the same time. A page with fewer messages than asked for is the end of
 * its lane, which may have grown since it was read: it is shared with nobody. A follower changes no message.
 */
export class SharedPages {
  readonly #source: () => Backfill;
  readonly #pages = new BoundedMap<string, Promise<Page>>(most);
  #timer: NodeJS.Timeout | undefined;

  /** `source`: the way to read the history that is valid now. */
  constructor(source: () => Backfill) {
    this.#source = source;
  }

  readonly backfill: Backfill = async (lane, after, limit, commitId) => {
    const name = `${lane}/${after}/${limit}/${commitId}`;
    const known = this.#pages.get(name);
    const page = known && (await known.catch(() => undefined));
    if (page?.length === limit) return page;
    const reading = this.#read(lane, after, limit, commitId);
    this.#keep(name, reading);
    return reading;
  };

  /** Nothing of before is shared with those who ask from now on: the source was offered again, perhaps with another log. */
  forget(): void {
    this.#pages.clear();
  }

  async #read(...asked: Parameters<Backfill>): Promise<Page> {
    return shared(jsonCopy(await this.#source()(...asked)));
  }

  #keep(name: string, reading: Promise<Page>): void {
    this.#pages.set(name, reading);
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#pages.clear();
    }, stay).unref();
  }
}
