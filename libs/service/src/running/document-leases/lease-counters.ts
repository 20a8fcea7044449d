import { CheckpointFenced, type Collection, type Documents } from '@lyceum/documents';

export const collection: Collection = { name: 'leases', version: 1, fields: {} };

/** Counters of one name in the documents, each of which one process at a time can move. */
export class LeaseCounters {
  readonly #documents: Documents;
  readonly #name: string;

  constructor(documents: Documents, name: string) {
    this.#documents = documents;
    this.#name = name;
  }

  open(): Promise<void> {
    return this.#documents.open(collection);
  }

  read(counter: number): Promise<number> {
    return this.#documents.checkpoint(collection, this.#name, counter);
  }

  /** False when another process moved it first. */
  async move(counter: number, from: number, to: number): Promise<boolean> {
    try {
      await this.#documents.apply(collection, this.#name, counter, from, to, []);
      return true;
    } catch (error) {
      if (error instanceof CheckpointFenced) return false;
      throw error;
    }
  }
}
