import type { FactSource } from '@lyceum/contracts';
import { CheckpointFenced, type Collection, type Documents } from '@lyceum/documents';
import type { Checkpoint, Clock } from '@lyceum/kernel';
import type { FollowedState, Snapshot } from './followed-state.ts';
import { LaneReading, LaneSnapshots, type StoredPieces, packedAnew } from './lane-snapshots.ts';
import { SnapshotDocuments } from './snapshot-documents.ts';
import { type LanePart, completeWrite, keyOf } from './snapshot-forms.ts';

/** What snapshots of a state work with. */
export interface StateSnapshotsOptions {
  readonly documents: Documents;
  /** See `snapshotCollection`. */
  readonly collection: Collection;
  readonly state: Pick<FollowedState, 'begin' | 'recall' | 'forget'>;
  readonly clock: Clock;
  /** Called for each failed save; the next one saves what this one did not. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds between saves, at least; 1000 when not given. */
  readonly saveEvery?: number;
}

/** Messages without anything to keep that move the stored place all the same. */
const idleStride = 200;

/**
 * Keeps a state in the documents, so that a start reads only the events that are new. Of several processes that share the
 * documents, the first saves; all have received the same. A place counts in one epoch of a source's log only:
 * what another epoch said is discarded and deleted.
 */
export class StateSnapshots {
  readonly #options: StateSnapshotsOptions;
  readonly #kept: SnapshotDocuments;
  readonly #lanes = new Map<string, LaneSnapshots>();
  readonly #epochs = new Map<FactSource, string>();
  /** Lives of sources of which it is stored that nothing is missing, and sources of which it is to be. */
  readonly #completed = new Set<string>();
  readonly #toComplete = new Set<FactSource>();
  /** By source and lane, where no other process has the documents: what was recalled and not asked for since. */
  readonly #recalled = new Map<string, StoredPieces>();
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: StateSnapshotsOptions) {
    this.#options = options;
    this.#kept = new SnapshotDocuments(options.documents, options.collection);
  }

  /**
   * Recalls what is kept of a source before it can be asked itself. False when that is not all that it had said at some
   * time, or not of one epoch of its log: then it is of no use.
   */
  async recall(source: FactSource): Promise<boolean> {
    await this.#kept.open();
    const [epoch, ...others] = await this.#kept.completeEpochs(source);
    if (epoch === undefined || others.length > 0) return false;
    await this.#recallLanes(source, epoch);
    this.#epochs.set(source, epoch);
    this.#completed.add(keyOf({ source, epoch }));
    return true;
  }

  async #recallLanes(source: FactSource, epoch: string): Promise<void> {
    let of: number | undefined;
    let reading: LaneReading | undefined;
    const end = (): void => {
      const pieces = reading?.end();
      if (pieces && this.#kept.isExclusive) this.#recalled.set(`${source}/${of}`, pieces);
    };
    for await (const { lane, found } of this.#kept.ofLanes(source, epoch)) {
      if (lane !== of) {
        end();
        this.#options.state.begin?.(lane, epoch);
        [of, reading] = [lane, this.#reading(source, lane)];
      }
      reading!.add(found);
    }
    end();
  }

  /** The epoch of its log in which a source is known; undefined before it is. */
  epoch(source: FactSource): string | undefined {
    return this.#epochs.get(source);
  }

  /** All that the source had said at some time in this epoch is known: with the next save, a start can go by it alone. */
  complete(source: FactSource): void {
    const epoch = this.#epochs.get(source);
    if (epoch === undefined || this.#completed.has(keyOf({ source, epoch }))) return;
    this.#toComplete.add(source);
    this.#saveSoon();
  }

  /** Recalls what is kept of a lane, and gives its place. Without an epoch of the log nothing is kept. */
  async from(source: FactSource, index: number, epoch: string | undefined): Promise<Checkpoint> {
    const before = this.#epochs.get(source);
    if (before !== undefined && before !== epoch) this.#forget(source);
    if (epoch === undefined) return { position: 0 };
    this.#epochs.set(source, epoch);
    await this.#kept.open();
    const lane = await this.#lane({ source, epoch, lane: index });
    this.#lanes.set(`${source}/${index}`, lane);
    if (lane.isWorn) this.#saveSoon();
    return lane.known;
  }

  /** Learns what is kept of a lane, unless it was recalled. */
  async #lane(part: LanePart): Promise<LaneSnapshots> {
    const name = `${part.source}/${part.lane}`;
    const recalled = this.#recalled.get(name);
    this.#recalled.delete(name);
    if (recalled) return new LaneSnapshots(part, await this.#kept.placeOf(part), recalled);
    const { known, found } = await this.#kept.storedLane(part);
    const reading = this.#reading(part.source, part.lane);
    for (const each of found) reading.add(each);
    return new LaneSnapshots(part, known, reading.end());
  }

  /** What a source said belongs to another history of its log: it is discarded and deleted, in all lanes. */
  async diverged(source: FactSource): Promise<void> {
    const parts = this.#lanesOf(source).map(({ part }) => part);
    this.#forget(source);
    await this.#saving;
    for (const part of parts) {
      this.#completed.delete(keyOf(part));
      await this.#kept.discard(part);
    }
  }

  /** Takes note of a message, and of what in it is to be kept. */
  record(source: FactSource, index: number, at: Checkpoint, snapshots: readonly Snapshot[]): void {
    const lane = this.#lanes.get(`${source}/${index}`);
    if (!lane) return;
    lane.record(at, snapshots);
    if (lane.hasChanged || lane.known.position - lane.stored >= idleStride) this.#saveSoon();
  }

  /** Saves what is known. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#saving;
    await this.#save();
  }

  #forget(source: FactSource): void {
    this.#options.state.forget(source);
    this.#toComplete.delete(source);
    for (const { part } of this.#lanesOf(source)) this.#lanes.delete(`${source}/${part.lane}`);
    for (const name of this.#recalled.keys()) if (name.startsWith(`${source}/`)) this.#recalled.delete(name);
  }

  #lanesOf(source: FactSource): readonly LaneSnapshots[] {
    return [...this.#lanes.values()].filter(({ part }) => part.source === source);
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
    for (const lane of [...this.#lanes.values()].filter(({ isDue, isWorn }) => isDue || isWorn))
      try {
        if (lane.isWorn) await this.#packAnew(lane);
        if (lane.isDue) await this.#saveLane(lane);
      } catch (error) {
        this.#options.onError(error);
        this.#saveSoon();
      }
    for (const source of this.#toComplete) await this.#saveComplete(source);
  }

  /** Writes down that nothing is missing, once that is so of what is stored. */
  async #saveComplete(source: FactSource): Promise<void> {
    const first = this.#lanes.get(`${source}/0`);
    if (!first || this.#lanesOf(source).some(({ known, stored }) => known.position > stored)) return;
    const { part } = first;
    try {
      const at = await this.#kept.placeOf(part);
      if (at.position < first.stored) return;
      await this.#kept.move(part, at.position, at, [completeWrite(part)]);
      this.#completed.add(keyOf(part));
      this.#toComplete.delete(source);
      await this.#kept.deleteOtherEpochs(source, part.epoch);
    } catch (error) {
      if (error instanceof CheckpointFenced) first.stored = (await this.#kept.placeOf(part)).position;
      else this.#options.onError(error);
      this.#saveSoon();
    }
  }

  async #saveLane(lane: LaneSnapshots): Promise<void> {
    const { from, to, writes, done } = lane.step(this.#options.clock.now());
    try {
      await this.#kept.move(lane.part, from, to, writes);
    } catch (error) {
      if (!(error instanceof CheckpointFenced)) throw error;
      lane.stored = (await this.#kept.placeOf(lane.part)).position;
      // Another process met another history: what this one has received is not kept. It will meet that history, too.
      if (lane.stored < from) return void this.#lanes.delete(`${lane.part.source}/${lane.part.lane}`);
      if (lane.stored < to.position) return this.#saveLane(lane);
    }
    done();
  }

  /** Packs what is stored of a lane anew; where another process writes it, that one may do so at its next start. */
  async #packAnew(lane: LaneSnapshots): Promise<void> {
    const { known, found } = await this.#kept.storedLane(lane.part);
    const isOwn = known.position === lane.stored;
    try {
      const writes = packedAnew(lane.part, known.position, found);
      if (isOwn) await this.#kept.move(lane.part, known.position, known, writes);
    } catch (error) {
      if (!(error instanceof CheckpointFenced)) throw error;
      return lane.packedAnew(false);
    }
    lane.packedAnew(isOwn);
  }

  /** Takes in what is kept of a lane, unless it is over. */
  #reading(source: FactSource, lane: number): LaneReading {
    const { state, clock } = this.#options;
    const now = clock.now();
    return new LaneReading(source, (snapshot) => {
      if (snapshot.until === undefined || snapshot.until > now) state.recall(snapshot, lane);
    });
  }
}
