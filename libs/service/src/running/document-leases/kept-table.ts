import { CheckpointFenced, type Documents, rowAs } from '@lyceum/documents';
import { jsonCopy } from '@lyceum/kernel';
import { collection } from './lease-counters.ts';
import { type ShareTable, noTable } from './share-table.ts';

const tenant = '_platform';
/** The counter of changes to the table; the others are the members' seats. */
const changes = 0;

/** A table of shares in the documents. */
export class KeptTable {
  readonly #documents: Documents;
  readonly #name: string;
  #change = -1;
  /** As it was read or written last. */
  table: ShareTable = noTable;

  constructor(documents: Documents, name: string) {
    this.#documents = documents;
    this.#name = name;
  }

  /** The table now. Where it has not changed, that costs a look at a counter. */
  async read(): Promise<ShareTable> {
    const change = await this.#documents.checkpoint(collection, this.#name, changes);
    if (change === this.#change) return this.table;
    // It may be newer than the counter: a change of it is fenced then, and it is read anew.
    const row = await this.#documents.get(collection, tenant, this.#name);
    this.table = rowAs<ShareTable>(row) ?? noTable;
    this.#change = change;
    return this.table;
  }

  /** Changes the table; `wanted` is asked again when another process was faster. */
  async change(wanted: (table: ShareTable) => ShareTable): Promise<ShareTable> {
    for (;;) {
      if (this.#change < 0) await this.read();
      const after = wanted(this.table);
      if (JSON.stringify(after) === JSON.stringify(this.table)) return this.table;
      const [from, to] = [this.#change, this.#change + 1];
      try {
        const body = jsonCopy({ ...after });
        await this.#documents.apply(collection, this.#name, changes, from, to, [{ tenant, id: this.#name, body }]);
        this.#change = to;
        return (this.table = after);
      } catch (error) {
        // Whatever failed, it may have been changed.
        this.#change = -1;
        if (!(error instanceof CheckpointFenced)) throw error;
      }
    }
  }
}
