import type { FactSource } from '@lyceum/contracts';
import type { Collection, Documents, Found, Query, Write } from '@lyceum/documents';
import type { Checkpoint } from '@lyceum/kernel';
import { type LanePart, completeId, gone, keyOf, partNamed, partOf, tenant } from './snapshot-forms.ts';

type Asked = Pick<Query, 'where' | 'sort'>;

/** A pack has some hundred kilobytes. */
const pageSize = 50;

/** The documents in which pieces of a state are kept. */
export class SnapshotDocuments {
  readonly #documents: Documents;
  readonly #collection: Collection;
  #opened: Promise<void> | undefined;

  constructor(documents: Documents, collection: Collection) {
    this.#documents = documents;
    this.#collection = collection;
  }

  /** Whether no other process has them. */
  get isExclusive(): boolean {
    return this.#documents.exclusive === true;
  }

  open(): Promise<void> {
    return (this.#opened ??= this.#documents.open(this.#collection).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    }));
  }

  /** The epochs of a source's log of which nothing is missing. */
  async completeEpochs(source: FactSource): Promise<readonly string[]> {
    const epochs: string[] = [];
    for await (const { body } of this.#found({ where: [{ field: 'source', is: source }] }))
      epochs.push(String(body['epoch']));
    return epochs;
  }

  /** The documents of all lanes of a source, lane by lane, by id. */
  async *ofLanes(source: FactSource, epoch: string): AsyncGenerator<{ readonly lane: number; readonly found: Found }> {
    const key = keyOf({ source, epoch });
    const where = [{ field: 'part', from: `${key}/`, below: `${key}0` }];
    for await (const found of this.#found({ where, sort: { field: 'part' } }))
      yield { lane: partNamed(source, String(found.body['part'])).lane, found };
  }

  /** The place of a lane. */
  placeOf(part: LanePart): Promise<Checkpoint> {
    return this.#documents.checkpointOf(this.#collection, keyOf(part), part.lane);
  }

  /** Moves the place of a lane, with what is new. Throws `CheckpointFenced` when another process moved it. */
  move(part: LanePart, from: number, to: Checkpoint | number, writes: readonly Write[]): Promise<void> {
    return this.#documents.apply(this.#collection, keyOf(part), part.lane, from, to, writes);
  }

  /**
   * What is stored of a lane, by id, and its place. The place is read first: what is added meanwhile comes once more. When
   * another process discards the lane meanwhile, the place goes back with the documents, and both are read again.
   */
  async storedLane(part: LanePart): Promise<{ readonly known: Checkpoint; readonly found: readonly Found[] }> {
    for (;;) {
      const known = await this.placeOf(part);
      const found: Found[] = [];
      for await (const each of this.#found({ where: [{ field: 'part', is: partOf(part) }] })) found.push(each);
      const now = await this.placeOf(part);
      const isSame = now.position === known.position && now.commitId === known.commitId;
      if (isSame || now.position > known.position) return { known, found };
    }
  }

  /** Deletes the documents of a lane. Its place goes back with them: whoever went on from there would lack them for ever. */
  async discard(part: LanePart): Promise<void> {
    const { position } = await this.placeOf(part);
    const writes: Write[] = [gone(completeId(part))];
    for await (const { id } of this.#found({ where: [{ field: 'part', is: partOf(part) }] })) writes.push(gone(id));
    await this.move(part, position, 0, writes);
  }

  /** Deletes what a source said in other epochs of its log. */
  async deleteOtherEpochs(source: FactSource, epoch: string): Promise<void> {
    const own = keyOf({ source, epoch });
    const others = new Set<string>();
    const sort = { field: 'part' };
    for (const range of [
      { from: `${source}@`, below: `${own}/` },
      { from: `${own}0`, below: `${source}A` },
    ])
      for await (const { body } of this.#found({ where: [{ field: 'part', ...range }], sort }))
        others.add(String(body['part']));
    for (const name of others) await this.discard(partNamed(source, name));
    for (const other of await this.completeEpochs(source))
      if (other !== epoch) await this.discard({ source, epoch: other, lane: 0 });
  }

  async *#found({ where, sort }: Asked): AsyncGenerator<Found> {
    let after: Query['after'];
    for (;;) {
      const query = { where, limit: pageSize, ...(sort && { sort }), ...(after && { after }) };
      const { items, more } = await this.#documents.query(this.#collection, tenant, query as Query);
      yield* items;
      const last = items.at(-1);
      if (!more || !last) return;
      after = { value: sort ? String(last.body[sort.field]) : last.id, id: last.id };
    }
  }
}
