import { BoundedMap } from '@lyceum/kernel';
import type { Page, Query } from '../port.ts';

/** Characters of the pages that stay at least, and of the longest page; tenants whose pages stay. */
const [room, longest, tenants] = [4 * 1024 * 1024, 256 * 1024, 10_000];

/** A page that was read, its length in characters, and the state of its tenant in which it was read. */
interface Kept {
  readonly page: Page;
  readonly length: number;
  readonly state: object;
}

/**
 * The pages of one collection that were asked for lately, for the one process that has the file, until a document of the
 * tenant is written.
 */
export class RecentPages {
  /** An object for each tenant that stands for its documents as they are; another one when any of them is written. */
  readonly #states = new BoundedMap<string, object>(tenants);
  readonly #pages = new BoundedMap<string, Kept>(room, ({ length }) => length);

  get(tenant: string, query: Query): Page | undefined {
    const state = this.#states.get(tenant);
    const kept = state && this.#pages.get(nameOf(tenant, query));
    return kept?.state === state ? kept?.page : undefined;
  }

  keep(tenant: string, query: Query, page: Page, length: number): void {
    if (length > longest) return;
    const state = this.#states.get(tenant) ?? {};
    this.#states.set(tenant, state);
    const name = nameOf(tenant, query);
    // What is named in the query is kept as well.
    this.#pages.set(name, { page, length: length + name.length, state });
  }

  /** A document of the tenant is not what it was. */
  forget(tenant: string): void {
    this.#states.delete(tenant);
  }

  clear(): void {
    this.#states.clear();
    this.#pages.clear();
  }
}

/** No stored document has NUL in its tenant. */
const nameOf = (tenant: string, query: Query): string => `${tenant}\0${JSON.stringify(query)}`;
