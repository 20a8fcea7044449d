/** Documents that stay, and the longest of them: what is asked for with every request is small. Characters. */
const [most, longest] = [10_000, 1_024];

/** The documents of one collection that were read lately, as JSON, for the one process that has the file. */
export class RecentRows {
  readonly #bodies = new Map<string, string>();

  get(tenant: string, id: string): string | undefined {
    return this.#bodies.get(nameOf(tenant, id));
  }

  keep(tenant: string, id: string, body: string): void {
    if (body.length > longest) return;
    if (this.#bodies.size >= most) this.#bodies.clear();
    this.#bodies.set(nameOf(tenant, id), body);
  }

  /** What is written replaces what is here; what nobody asked for is not kept. */
  replace(tenant: string, id: string, body: string | null): void {
    const name = nameOf(tenant, id);
    if (!this.#bodies.has(name)) return;
    if (body === null || body.length > longest) this.#bodies.delete(name);
    else this.#bodies.set(name, body);
  }

  clear(): void {
    this.#bodies.clear();
  }
}

/** No stored document has NUL in its tenant or id. */
const nameOf = (tenant: string, id: string): string => `${tenant}\0${id}`;
