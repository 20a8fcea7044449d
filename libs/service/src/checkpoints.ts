import type { Collection, Documents } from '@lyceum/documents';
import { type Checkpoint, checkpointFrom } from '@lyceum/kernel';

/** Milliseconds in which a checkpoint may lag behind events that nothing follows from. */
const lag = 5_000;

/** Names a source in one epoch of its log: a position in another epoch means other commits. */
const inEpoch = (source: string, epoch: string | undefined): string =>
  epoch === undefined ? source : `${source}@${epoch}`;

/**
 * How far a follower has come in each lane of a source, in each epoch of its log: the checkpoints of a read model without
 * documents. What it follows in an epoch that it does not know begins at 0.
 */
export class Checkpoints {
  readonly #documents: Documents;
  readonly #source: string;
  readonly #collection: Collection;
  /** The epoch that each lane was asked for last. */
  readonly #epochs = new Map<number, string | undefined>();
  readonly #saved = new Map<number, number>();

  private constructor(documents: Documents, source: string, collection: Collection) {
    this.#documents = documents;
    this.#source = source;
    this.#collection = collection;
  }

  /** The checkpoints that are kept under a name. */
  static async open(documents: Documents, source: string, name: string): Promise<Checkpoints> {
    const collection: Collection = { name, version: 1, fields: {} };
    await documents.open(collection);
    return new Checkpoints(documents, source, collection);
  }

  /** Where to go on in a lane, whose log is in this epoch: what is saved from now on counts in it. */
  async from(lane: number, epoch: string | undefined): Promise<Checkpoint> {
    this.#epochs.set(lane, epoch);
    return this.#documents.checkpointOf(this.#collection, inEpoch(this.#source, epoch), lane);
  }

  /** Everything up to here is done. Throws `CheckpointFenced` when another process moved the checkpoint meanwhile. */
  async save(lane: number, at: number | Checkpoint): Promise<void> {
    const source = this.#sourceOf(lane);
    const before = await this.#documents.checkpoint(this.#collection, source, lane);
    const { position, commitId } = checkpointFrom(at);
    if (before < position)
      await this.#documents.apply(this.#collection, source, lane, before, { position, commitId }, []);
    this.#saved.set(lane, performance.now());
  }

  /** Passing over events again costs a look at them, so their checkpoint is kept now and then only. */
  async saveSometimes(lane: number, at: number | Checkpoint): Promise<void> {
    if (performance.now() - (this.#saved.get(lane) ?? -Infinity) >= lag) await this.save(lane, at);
  }

  /** What is saved belongs to another history of the log: everything begins anew, as in an epoch that is not known. */
  async reset(lane: number): Promise<void> {
    const source = this.#sourceOf(lane);
    const before = await this.#documents.checkpoint(this.#collection, source, lane);
    if (before > 0) await this.#documents.apply(this.#collection, source, lane, before, 0, []);
  }

  #sourceOf(lane: number): string {
    return inEpoch(this.#source, this.#epochs.get(lane));
  }
}
