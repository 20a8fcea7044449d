import type { Checkpoint } from '@lyceum/kernel';
import { type MongoEngine, failureOf, inTime } from '@lyceum/mongo';
import type { AnyBulkWriteOperation, Collection as Records, Db, Filter, UpdateFilter } from 'mongodb';
import { setTimeout as pause } from 'node:timers/promises';
import { collectionKey } from '../collection/declaration.ts';
import { type MoveRecord, Moves, type LastMove } from './moves.ts';
import type { Change, DocumentRecord } from './record.ts';
import type { Collection } from '../port.ts';

/** Milliseconds that a move which another process has begun is left to that process, before it is made here. */
const grace = 1_000;

/** Documents asked for at once. */
const wide = 16;

/**
 * Updates in one command to FerretDB 1.x. It keeps a connection to its store for each until the command ends, of 100 for
 * a database: with more it waits for itself, for ever, and nobody reads or writes the database any more.
 */
const fewUpdates = 20;

/** Updates in one command to other servers: a slow one has them done in the time that a command may take. */
const someUpdates = 50;

/**
 * Milliseconds that the trace of a deleted document stays: it keeps those from writing the document again who fell asleep before
 * it was deleted. No command takes so long, and connections do not last.
 */
const traceStays = 7 * 24 * 3_600_000;

/** Milliseconds between two looks for traces that have stayed long enough, and that one may take. */
const [sweepEvery, sweeping] = [3_600_000, 60_000];

/** Commands that follow each other. */
class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

/** Of each database, for all read models in it. */
const turnsOf = new WeakMap<Db, Turns>();

/** The documents of one read model and the checkpoints behind them. */
export class StoredCollection {
  readonly collection: Collection;
  readonly documents: Records<DocumentRecord>;
  readonly moves: Moves;
  readonly #engine: MongoEngine;
  readonly #turns: Turns;
  readonly #lastMoves = new Map<string, LastMove>();
  #swept = -Infinity;

  constructor(db: Db, engine: MongoEngine, collection: Collection) {
    const names = namesOf(collection);
    this.collection = collection;
    this.documents = db.collection<DocumentRecord>(names.documents);
    this.moves = new Moves(db.collection<MoveRecord>(names.moves));
    this.#engine = engine;
    this.#turns = turnsOf.get(db) ?? new Turns();
    turnsOf.set(db, this.#turns);
  }

  /** Where a checkpoint stands, with all its documents made. `fresh`: not as this process remembers it. */
  async settled(scope: string, fresh: boolean): Promise<LastMove> {
    const known = fresh ? undefined : this.#lastMoves.get(scope);
    if (known) return known;
    for (const began = performance.now(); ;) {
      const last = await this.moves.last(scope);
      if (!last.pending) return this.#remember(scope, last);
      if (performance.now() - began > grace) {
        const changes = await this.moves.changes(last.pending);
        if (changes) return this.make(last.pending, changes);
      } else await pause(20);
    }
  }

  /** Position up to which all documents are made, for those who only look. */
  async reached(scope: string): Promise<number> {
    return (await this.moves.last(scope)).position;
  }

  /** Moves a checkpoint together with its changes. False when another process has moved it since `at`. */
  async move(scope: string, at: LastMove, to: number | Checkpoint, changes: readonly Change[]): Promise<boolean> {
    if (changes.length > 0) {
      const move = await this.moves.begin(scope, at, to, changes);
      if (move) await this.make(move, changes);
      return move !== undefined;
    }
    const last = await this.moves.step(scope, at, to);
    if (last) this.#remember(scope, last);
    return last !== undefined;
  }

  /** Makes the changes of a move and ends it. */
  async make(move: MoveRecord, changes: readonly Change[]): Promise<LastMove> {
    if (changes.length > 0 && this.#engine !== 'ferretdb-1') await this.#writeGuarded(move, changes);
    if (changes.length > 0 && this.#engine === 'ferretdb-1') await this.#lookAndWrite(move, changes);
    if (changes.some(({ content }) => content.body === null)) this.#sweep();
    return this.#remember(move.scope, await this.moves.end(move));
  }

  /** Forgets where a checkpoint stands; all of them when none is named. */
  forget(scope?: string): void {
    if (scope === undefined) this.#lastMoves.clear();
    else this.#lastMoves.delete(scope);
  }

  /** Deletes traces of documents that were deleted long ago, now and then. What is not deleted now is deleted later. */
  #sweep(): void {
    if (performance.now() - this.#swept < sweepEvery) return;
    this.#swept = performance.now();
    const old = { gone: { $lt: Date.now() - traceStays }, body: null };
    this.documents.deleteMany(old, inTime(sweeping)).catch(() => undefined);
  }

  #remember(scope: string, last: LastMove): LastMove {
    this.#lastMoves.set(scope, last);
    return last;
  }

  /**
   * The server itself compares epochs while it writes. An upsert fails as a duplicate when the document is newer, and also
   * when another lane brings the document into being at the same moment: asked once more, the server knows which.
   */
  async #writeGuarded({ scope, epoch }: MoveRecord, changes: readonly Change[]): Promise<void> {
    const refused = new Set<Change>();
    for (let left = changes; left.length > 0;) {
      const part = left.slice(0, someUpdates);
      const duplicates = await this.#upsert(part.map((change) => guarded(scope, epoch, change)));
      const again = duplicates.map((index) => part[index]!);
      const newer = new Set(again.filter((change) => refused.has(change)));
      for (const change of again) refused.add(change);
      // FerretDB stops at the first failure: what stands behind it may not have been written.
      left = left.slice(duplicates[0] ?? part.length).filter((change) => !newer.has(change));
    }
  }

  /** The places of those that failed as duplicates, ascending. Throws what else the driver throws. */
  async #upsert(writes: AnyBulkWriteOperation<DocumentRecord>[]): Promise<readonly number[]> {
    try {
      await this.documents.bulkWrite(writes, { ordered: false, ...inTime() });
      return [];
    } catch (error) {
      type Failed = { readonly code?: number; readonly index: number };
      const failed = [(error as { writeErrors?: Failed | readonly Failed[] }).writeErrors ?? []].flat();
      if (failed.length === 0 || failed.some(({ code }) => code !== 11_000)) throw error;
      return failed.map(({ index }) => index).toSorted((one, other) => one - other);
    }
  }

  /** FerretDB 1.x finds and writes in two steps anyway, and finds quickly only by `_id`. */
  async #lookAndWrite({ scope, epoch }: MoveRecord, changes: readonly Change[]): Promise<void> {
    for (;;) {
      const stored = await this.#look(changes);
      const found = (change: Change) => stored.get(change.key);
      const added = changes.filter((change) => !found(change) && change.content.body !== null);
      const older = changes.filter((change) => {
        const there = found(change);
        return there && (there.epochs[scope] ?? 0) < epoch;
      });
      const records = added.map(({ key, content }) => ({ _id: key, ...content, epochs: { [scope]: epoch } }));
      const updates = older.map((change) => ({
        updateOne: { filter: { _id: change.key }, update: updateOf(scope, epoch, change) },
      }));
      try {
        if (records.length > 0) await this.documents.insertMany(records, inTime());
        for (let from = 0; from < updates.length; from += fewUpdates)
          await this.#turns.take(() => this.documents.bulkWrite(updates.slice(from, from + fewUpdates), inTime()));
        return;
      } catch (error) {
        // Another process added one of them meanwhile.
        if (failureOf(error) !== 'duplicate') throw error;
      }
    }
  }

  async #look(changes: readonly Change[]): Promise<Map<string, DocumentRecord>> {
    const stored = new Map<string, DocumentRecord>();
    for (let from = 0; from < changes.length; from += wide) {
      const asked = changes.slice(from, from + wide).map(({ key }) => this.documents.findOne({ _id: key }, inTime()));
      for (const record of await Promise.all(asked)) if (record) stored.set(record._id, record);
    }
    return stored;
  }
}

/** What was never there needs no trace of its deletion. */
function guarded(scope: string, epoch: number, change: Change): AnyBulkWriteOperation<DocumentRecord> {
  const filter = { _id: change.key, [`epochs.${scope}`]: { $not: { $gte: epoch } } } as Filter<DocumentRecord>;
  return { updateOne: { filter, update: updateOf(scope, epoch, change), upsert: change.content.body !== null } };
}

function updateOf(scope: string, epoch: number, { content }: Change): UpdateFilter<DocumentRecord> {
  const update = { $set: { ...content, [`epochs.${scope}`]: epoch } } as UpdateFilter<DocumentRecord>;
  return content.body === null ? update : { ...update, $unset: { gone: '' } };
}

/** The names of what a read model is kept in. */
export const namesOf = (collection: Collection): { readonly documents: string; readonly moves: string } => ({
  documents: `documents_${collectionKey(collection)}`,
  moves: `moves_${collectionKey(collection)}`,
});

/** Milliseconds that an index may take, when there are many documents already. */
const indexing = 600_000;

/** Creates the indexes of a read model: each field with the tenant first. FerretDB 1.x would never read by one. */
export async function createIndexes(db: Db, engine: MongoEngine, collection: Collection): Promise<void> {
  if (engine === 'ferretdb-1') return;
  const { documents, moves } = namesOf(collection);
  const [made, moving] = [db.collection(documents), db.collection(moves)];
  await moving.createIndex({ scope: 1, epoch: 1 }, inTime(indexing));
  await made.createIndex({ tenant: 1, id: 1 }, inTime(indexing));
  await made.createIndex({ gone: 1 }, { sparse: true, ...inTime(indexing) });
  for (const [field, kind] of Object.entries(collection.fields)) {
    const path = { tenant: 1, [`f.${field}`]: 1 } as const;
    await made.createIndex(kind === 'set' ? path : { ...path, id: 1 }, inTime(indexing));
  }
}
