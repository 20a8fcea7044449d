/** Of a generation: documents, and characters of them all. Of a document: characters. What every request asks for is small. */
const [most, room, longest] = [10_000, 4 * 1024 * 1024, 1_024];

/**
 * The documents of one collection that were read lately, as JSON, for the one process that has the file. Two generations:
 * forgetting everything at once would make the reads after it slow, all together.
 */
export class RecentRows {
  #young = new Map<string, string>();
  /** None of them is among the young. */
  #old = new Map<string, string>();
  /** Characters of the young. */
  #size = 0;

  get(tenant: string, id: string): string | undefined {
    const name = nameOf(tenant, id);
    const young = this.#young.get(name);
    if (young !== undefined) return young;
    const old = this.#old.get(name);
    if (old !== undefined) this.#keep(name, old);
    return old;
  }

  keep(tenant: string, id: string, body: string): void {
    if (body.length <= longest) this.#keep(nameOf(tenant, id), body);
  }

  /** What is written replaces what is here; what nobody asked for is not kept. */
  replace(tenant: string, id: string, body: string | null): void {
    const name = nameOf(tenant, id);
    if (!this.#young.has(name) && !this.#old.has(name)) return;
    if (body === null || body.length > longest) this.#forget(name);
    else this.#keep(name, body);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#size = 0;
  }

  #keep(name: string, body: string): void {
    const before = this.#young.get(name);
    if (before === undefined) {
      this.#old.delete(name);
      if (this.#young.size >= most || this.#size + body.length > room) {
        this.#old = this.#young;
        this.#young = new Map();
        this.#size = 0;
      }
    }
    this.#young.set(name, body);
    this.#size += body.length - (before?.length ?? 0);
  }

  #forget(name: string): void {
    this.#old.delete(name);
    const young = this.#young.get(name);
    if (young === undefined) return;
    this.#young.delete(name);
    this.#size -= young.length;
  }
}

/** No stored document has NUL in its tenant or id. */
const nameOf = (tenant: string, id: string): string => `${tenant}\0${id}`;
