import type { School } from '../routing/school.ts';
import type { ReadApi } from '../upstream/school-api.ts';
import { type ReadOffers, readOffers } from './content/offers.ts';
import { readSite } from './site/site-summary.ts';

/** What the shop window works with. */
export interface ShopWindowOptions {
  /** Reads the school's API as anybody may. */
  readonly readOf: (school: School) => ReadApi;
  /** Hears that the offers of a school have been read again, and whether they could be. */
  readonly onRead: (school: School, read: ReadOffers | undefined) => void;
  readonly onError: (school: School, error: unknown) => void;
  /** Milliseconds that facts are gathered for before the offers are read again. */
  readonly settle?: number;
}

/**
 * Reads what a school offers, and what its site has, from the services' own public lists, so that documents say what the API
 * says. A fact about one of them makes it read again, a moment later, and once more when the lists have surely followed.
 */
export class OfferCache {
  readonly #options: ShopWindowOptions;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(options: ShopWindowOptions) {
    this.#options = options;
  }

  /** What the school offers now; undefined when nobody can tell. */
  async look(school: School): Promise<ReadOffers | undefined> {
    const { readOf, onError } = this.#options;
    try {
      const read = readOf(school);
      const [offers, site] = await Promise.all([
        readOffers(read),
        readSite(read).catch((error: unknown) => onError(school, error)),
      ]);
      return site ? { ...offers, site } : offers;
    } catch (error) {
      onError(school, error);
      return undefined;
    }
  }

  /** Something about the offers of the school is different: they are read again, soon. */
  changed(school: School): void {
    if (this.#timers.has(school.id)) return;
    const { settle = 200 } = this.#options;
    this.#again(school, settle, () => this.#again(school, settle * 10));
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #again(school: School, milliseconds: number, then?: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(school.id);
      then?.();
      void this.look(school).then((read) => this.#options.onRead(school, read));
    }, milliseconds);
    this.#timers.set(school.id, timer.unref());
  }
}
