import type { FactSource } from '@lyceum/contracts';
import { CheckpointFenced, type Documents, rowAs } from '@lyceum/documents';
import type { Checkpoint, Clock } from '@lyceum/kernel';
import type { TrustSnapshot, TrustState } from '@lyceum/oauth';
import {
  type Part,
  type Place,
  collection,
  completeLane,
  deleteOtherEpochs,
  discard,
  found,
  keyOf,
  storedLane,
  tenant,
} from './trust-documents.ts';

/** What trust snapshots work with. */
export interface TrustSnapshotsOptions {
  readonly documents: Documents;
  readonly state: TrustState;
  readonly clock: Clock;
  /** Called for each failed save; the next one saves what this one did not. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds between saves, at least; 1000 when not given. */
  readonly saveEvery?: number;
}

/** Messages without anything to keep that move the stored place all the same. */
const idleStride = 200;

/**
 * Keeps trust in the documents, so that a start reads only the facts that are new. Of several processes that share the
 * documents, the first saves; all have received the same. A place counts in one epoch of a source's log only:
 * what another epoch said is discarded and deleted.
 */
export class TrustSnapshots {
  readonly #options: TrustSnapshotsOptions;
  readonly #parts = new Map<string, Part>();
  readonly #epochs = new Map<FactSource, string>();
  /** Lives of sources of which it is stored that nothing is missing, and sources of which it is to be. */
  readonly #completed = new Set<string>();
  readonly #toComplete = new Set<FactSource>();
  /** By source and lane, where no other process has the documents: when the pieces end that were recalled and not asked for since. */
  readonly #recalled = new Map<string, Map<string, number>>();
  #opened: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: TrustSnapshotsOptions) {
    this.#options = options;
  }

  /**
   * Recalls what is kept of a source before it can be asked itself. False when that is not all that it had said at some
   * time, or not of one epoch of its log: then it is of no use.
   */
  async recall(source: FactSource): Promise<boolean> {
    await this.#open();
    const epochs = new Set<string>();
    for await (const { body } of found(
      this.#options.documents,
      { field: 'source', is: source },
      { field: 'lane', is: completeLane },
    ))
      epochs.add(String(body['life']));
    const [epoch] = epochs;
    if (epoch === undefined || epochs.size > 1) return false;
    for await (const document of found(
      this.#options.documents,
      { field: 'source', is: source },
      { field: 'life', is: epoch },
    )) {
      const until = this.#learn(document);
      if (!this.#options.documents.exclusive) continue;
      const name = `${source}/${String(document.body['lane'])}`;
      const ends = this.#recalled.get(name) ?? new Map<string, number>();
      this.#recalled.set(name, until === undefined ? ends : ends.set(document.id, until));
    }
    this.#epochs.set(source, epoch);
    this.#completed.add(keyOf(source, epoch));
    return true;
  }

  /** The epoch of its log in which a source is known; undefined before it is. */
  epoch(source: FactSource): string | undefined {
    return this.#epochs.get(source);
  }

  /** All that the source had said at some time in this epoch is known: with the next save, a start can go by it alone. */
  complete(source: FactSource): void {
    const epoch = this.#epochs.get(source);
    if (epoch === undefined || this.#completed.has(keyOf(source, epoch))) return;
    this.#toComplete.add(source);
    this.#saveSoon();
  }

  /** Recalls what is kept of a lane, and gives its place. Without an epoch of the log nothing is kept. */
  async from(source: FactSource, lane: number, epoch: string | undefined): Promise<Checkpoint> {
    const before = this.#epochs.get(source);
    if (before !== undefined && before !== epoch) this.#forget(source);
    if (epoch === undefined) return { position: 0 };
    this.#epochs.set(source, epoch);
    await this.#open();
    const key = keyOf(source, epoch);
    const { known, ends } = await this.#lane(source, epoch, lane);
    const stored = known.position;
    const part: Part = { key, source, lane, epoch, stored, known, writes: new Map(), ends };
    this.#parts.set(`${source}/${lane}`, part);
    return known;
  }

  /** Learns what is kept of a lane, unless it was recalled: its place, and when pieces of it end. */
  async #lane(source: FactSource, epoch: string, lane: number) {
    const { documents } = this.#options;
    const name = `${source}/${lane}`;
    const recalled = this.#recalled.get(name);
    this.#recalled.delete(name);
    if (recalled)
      return { known: await documents.checkpointOf(collection, keyOf(source, epoch), lane), ends: recalled };
    const ends = new Map<string, number>();
    const { known, pieces } = await storedLane(documents, source, epoch, lane);
    for (const piece of pieces) {
      const until = this.#learn(piece);
      if (until !== undefined) ends.set(piece.id, until);
    }
    return { known, ends };
  }

  /** What a source said belongs to another history of its log: it is discarded and deleted, in all lanes. */
  async diverged(source: FactSource): Promise<void> {
    const parts = [...this.#parts.values()].filter((part) => part.source === source);
    this.#forget(source);
    await this.#saving;
    for (const { key, epoch, lane } of parts) {
      this.#completed.delete(key);
      await discard(this.#options.documents, source, epoch, lane);
    }
  }

  /** Takes note of a message, and of what in it is to be kept. */
  record(source: FactSource, { lane, position, commitId }: Place, memories: readonly TrustSnapshot[]): void {
    const part = this.#parts.get(`${source}/${lane}`);
    if (!part) return;
    part.known = { position, commitId };
    for (const { id: name, until, body } of memories) {
      const id = `${part.epoch}.${name}`;
      const { epoch } = part;
      part.writes.set(id, { tenant, id, body: { source, life: epoch, lane, name, body, ...(until ? { until } : {}) } });
      if (until === undefined) part.ends.delete(id);
      else part.ends.set(id, until);
    }
    if (part.writes.size > 0 || part.known.position - part.stored >= idleStride) this.#saveSoon();
  }

  /** Saves what is known. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#saving;
    await this.#save();
  }

  #open(): Promise<void> {
    return (this.#opened ??= this.#options.documents.open(collection).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    }));
  }

  #forget(source: FactSource): void {
    this.#options.state.forget(source);
    this.#toComplete.delete(source);
    for (const [name, part] of this.#parts) if (part.source === source) this.#parts.delete(name);
    for (const name of this.#recalled.keys()) if (name.startsWith(`${source}/`)) this.#recalled.delete(name);
  }

  #saveSoon(): void {
    if (this.#closed) return;
    const { saveEvery = 1_000 } = this.#options;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#saving = this.#saving.then(() => this.#save());
    }, saveEvery);
  }

  async #save(): Promise<void> {
    for (const part of [...this.#parts.values()].filter(({ known, stored }) => known.position > stored))
      try {
        await this.#savePart(part);
      } catch (error) {
        this.#options.onError(error);
        this.#saveSoon();
      }
    for (const source of this.#toComplete) await this.#saveComplete(source);
  }

  /** Writes down that nothing is missing, once that is so of what is stored. */
  async #saveComplete(source: FactSource): Promise<void> {
    const part = this.#parts.get(`${source}/0`);
    if (!part || [...this.#parts.values()].some((each) => each.source === source && each.known.position > each.stored))
      return;
    const { key, epoch } = part;
    const body = { source, life: epoch, lane: completeLane };
    try {
      const write = { tenant, id: `${epoch}.complete.${source}`, body };
      const at = await this.#options.documents.checkpointOf(collection, key, 0);
      if (at.position < part.stored) return;
      await this.#options.documents.apply(collection, key, 0, at.position, at, [write]);
      this.#completed.add(key);
      this.#toComplete.delete(source);
      await deleteOtherEpochs(this.#options.documents, source, epoch);
    } catch (error) {
      if (error instanceof CheckpointFenced) part.stored = await this.#options.documents.checkpoint(collection, key, 0);
      else this.#options.onError(error);
      this.#saveSoon();
    }
  }

  async #savePart(part: Part): Promise<void> {
    const { documents, clock } = this.#options;
    const { key, lane, known, stored } = part;
    const over = [...part.ends].filter(([, until]) => until <= clock.now()).map(([id]) => id);
    for (const id of over) part.writes.set(id, { tenant, id, body: null });
    const writes = new Map(part.writes);
    try {
      await documents.apply(collection, key, lane, stored, known, [...writes.values()]);
    } catch (error) {
      if (!(error instanceof CheckpointFenced)) throw error;
      part.stored = await documents.checkpoint(collection, key, lane);
      // Another process met another history: what this one has received is not kept. It will meet that history, too.
      if (part.stored < stored) return void this.#parts.delete(`${part.source}/${lane}`);
      if (part.stored < known.position) return this.#savePart(part);
    }
    part.stored = Math.max(part.stored, known.position);
    for (const id of over) part.ends.delete(id);
    for (const [id, write] of writes) if (part.writes.get(id) === write) part.writes.delete(id);
  }

  /** Takes in what is kept, unless it is over, and gives the time when it is. */
  #learn({ body }: { readonly body: Readonly<Record<string, unknown>> }): number | undefined {
    const { state, clock } = this.#options;
    if (body['lane'] === completeLane) return undefined;
    const memory = rowAs<TrustSnapshot>({ ...body, id: body['name'] });
    if (memory.until === undefined || memory.until > clock.now()) state.recall(memory);
    return memory.until;
  }
}
