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

  forget(tenant: string, id: string): void {
    this.#bodies.delete(nameOf(tenant, id));
  }

  clear(): void {
    this.#bodies.clear();
  }
}

const nameOf = (tenant: string, id: string): string => JSON.stringify([tenant, id]);
