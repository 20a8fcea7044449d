import type { Page, Query } from '../port.ts';

/** Characters of the pages of a generation, and of the longest page. */
const [room, longest] = [4 * 1024 * 1024, 256 * 1024];

/** A page beside its length, characters. */
interface Kept {
  readonly page: Page;
  readonly length: number;
}

/** The pages of one tenant by their query, and the characters of them all. */
interface Pages {
  readonly byQuery: Map<string, Kept>;
  length: number;
}

/**
 * The pages of one collection that were asked for lately, for the one process that has the file, until a document of the
 * tenant is written. Two generations, like a `BoundedMap`.
 */
export class RecentPages {
  #young = new Map<string, Pages>();
  #old = new Map<string, Pages>();
  /** Characters of the young. */
  #length = 0;

  get(tenant: string, query: Query): Page | undefined {
    const asked = JSON.stringify(query);
    const young = this.#young.get(tenant)?.byQuery.get(asked);
    if (young) return young.page;
    const old = this.#old.get(tenant)?.byQuery.get(asked);
    if (old) this.#keep(tenant, asked, old);
    return old?.page;
  }

  keep(tenant: string, query: Query, page: Page, length: number): void {
    if (length <= longest) this.#keep(tenant, JSON.stringify(query), { page, length });
  }

  /** A document of the tenant is not what it was. */
  forget(tenant: string): void {
    this.#old.delete(tenant);
    const young = this.#young.get(tenant);
    if (!young) return;
    this.#young.delete(tenant);
    this.#length -= young.length;
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#length = 0;
  }

  #keep(tenant: string, asked: string, kept: Kept): void {
    // What is named in the query is kept as well.
    const length = kept.length + asked.length;
    if (this.#length + length > room) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#length = 0;
    }
    const pages = this.#young.get(tenant) ?? { byQuery: new Map<string, Kept>(), length: 0 };
    this.#young.set(tenant, pages);
    pages.byQuery.set(asked, kept);
    pages.length += length;
    this.#length += length;
  }
}
