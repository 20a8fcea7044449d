import { BoundedMap } from '@lyceum/kernel';

/** Of all documents that stay: how many at most, and their characters. Of a document: characters. What every request asks for is small. */
const [most, room, longest] = [10_000, 4 * 1024 * 1024, 1_024];

/** The documents of one collection that were read lately, as JSON, for the one process that has the file. */
export class RecentRows {
  readonly #rows = new BoundedMap<string, string>(room, ({ length }) => Math.max(length, room / most));

  get(tenant: string, id: string): string | undefined {
    return this.#rows.get(nameOf(tenant, id));
  }

  keep(tenant: string, id: string, body: string): void {
    if (body.length <= longest) this.#rows.set(nameOf(tenant, id), body);
  }

  /** What is written replaces what is here; what nobody asked for is not kept. */
  replace(tenant: string, id: string, body: string | null): void {
    const name = nameOf(tenant, id);
    if (this.#rows.get(name) === undefined) return;
    if (body === null || body.length > longest) this.#rows.delete(name);
    else this.#rows.set(name, body);
  }

  clear(): void {
    this.#rows.clear();
  }
}

/** No stored document has NUL in its tenant or id. */
const nameOf = (tenant: string, id: string): string => `${tenant}\0${id}`;
