import { type Collection, type Documents, rowAs } from '@lyceum/documents';
import type { WithheldSchool } from '../running/watch.ts';

const collection: Collection = { name: 'withheld_facts', version: 1, fields: { source: 'text' } };
const tenant = '_platform';

/** Which schools of a source are withheld, in the documents, so that every process knows. */
export class WithheldSchools {
  readonly #documents: Documents;
  readonly #source: string;
  readonly #epochOf: () => string | undefined;
  #opened: Promise<void> | undefined;

  /** `epochOf`: positions count in one epoch of a log only. */
  constructor(documents: Documents, source: string, epochOf: () => string | undefined) {
    this.#documents = documents;
    this.#source = source;
    this.#epochOf = epochOf;
  }

  async all(): Promise<readonly WithheldSchool[]> {
    await this.#open();
    const found: WithheldSchool[] = [];
    const where = [{ field: 'source', is: this.#sourceInEpoch() }];
    for (let more = true, after: { value: string; id: string } | undefined; more;) {
      const query = { where, limit: 200, ...(after ? { after } : {}) };
      const page = await this.#documents.query(collection, tenant, query);
      found.push(...page.items.map(({ body }) => ({ ...rowAs<WithheldSchool>(body), source: this.#source })));
      const last = page.items.at(-1)?.id;
      more = page.more && last !== undefined;
      if (last !== undefined) after = { value: last, id: last };
    }
    return found;
  }

  /** Keeps it; null when it is withheld no more. */
  async write(school: string, withheld: WithheldSchool | null): Promise<void> {
    const source = this.#sourceInEpoch();
    const write = { tenant, id: `${source}.${school}`, body: withheld && { ...withheld, source } };
    await this.#documents.apply(collection, this.#source, 0, 0, 0, [write]);
  }

  /** Once: a server makes indexes with it, and each lane that comes asks for all. */
  #open(): Promise<void> {
    return (this.#opened ??= this.#documents.open(collection).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    }));
  }

  #sourceInEpoch(): string {
    return `${this.#source}@${this.#epochOf() ?? ''}`;
  }
}
