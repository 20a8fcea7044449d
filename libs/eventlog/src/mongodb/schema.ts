import { type MongoEngine, inTime, writeOnce } from '@lyceum/mongo';
import type { Collection, Db, IndexDescription } from 'mongodb';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { LogUnfit, checkLanes, defaultLanes } from '../lane.ts';
import { IndexedLane } from './indexed-lane.ts';
import type { LaneIndex } from './lane-index.ts';
import type { CommitRecord } from './mongodb-record.ts';
import { ScannedLane } from './scanned-lane.ts';
import { createRegister, entriesOf, segmentLength } from './segments.ts';

interface Declaration {
  readonly _id: 'log';
  readonly lanes: number;
  /** Positions in one collection; 0 = a lane is one collection. */
  readonly segment: number;
}

interface StoredEpoch {
  readonly _id: 'log';
  readonly name: string;
}

/** Milliseconds that an index may take, when there are many commits already. */
const indexing = 600_000;

/** A commit id is stored once in a lane, and a tenant has one lane. */
const byId: IndexDescription = { key: { tenant: 1, cid: 1 }, unique: true };
/** The position is in the index, so that the newest commit of a stream is one look-up. */
const byStream: IndexDescription = { key: { tenant: 1, 'streams.id': 1, _id: 1 } };

/**
 * Finds or creates a log in a database; any number of processes may do so at once. Throws `LogUnfit` when the log was
 * created with other lanes or for another kind of server, and what the driver throws.
 */
export async function openLanes(db: Db, engine: MongoEngine, lanes: number | undefined): Promise<readonly LaneIndex[]> {
  const segment = engine === 'ferretdb-1' ? segmentLength : 0;
  const declared = await declaredAs(db.collection<Declaration>('log'), lanes, segment);
  const numbers = Array.from({ length: declared.lanes }, (_, lane) => lane);
  if (segment > 0) {
    await patiently(() => createRegister(db));
    const entry = entriesOf(db);
    return numbers.map((lane) => new ScannedLane(lane, db, entry));
  }
  const collections = numbers.map((lane) => db.collection<CommitRecord>(`commits_${lane}`));
  // One index at a time: FerretDB 1.x fails when it is asked for two that are there already.
  for (const index of [byId, byStream])
    await Promise.all(collections.map((each) => patiently(() => each.createIndexes([index], inTime(indexing)))));
  return collections.map((records, lane) => new IndexedLane(lane, records));
}

/**
 * The name of a log's present epoch, a document that is written once. An operator who puts an older copy of the database in
 * its place deletes that document, so that another epoch begins; a new database has none.
 */
export async function epochIn(db: Db): Promise<string> {
  const records = db.collection<StoredEpoch>('incarnation');
  return (await patiently(() => writeOnce(records, { _id: 'log', name: randomUUID() }))).name;
}

/** The name of the epoch that a database holds now; undefined when that has just been replaced. */
export const storedEpoch = async (db: Db): Promise<string | undefined> =>
  (await db.collection<StoredEpoch>('incarnation').findOne({ _id: 'log' }, inTime()))?.name;

async function declaredAs(
  declarations: Collection<Declaration>,
  asked: number | undefined,
  segment: number,
): Promise<Declaration> {
  const wanted: Declaration = { _id: 'log', lanes: checkLanes(asked ?? defaultLanes), segment };
  const kept = await patiently(() => writeOnce(declarations, wanted));
  if (asked !== undefined && asked !== kept.lanes)
    throw new LogUnfit(`the log was created with ${kept.lanes} lanes, not ${asked}`);
  if (segment > 0 !== kept.segment > 0)
    throw new LogUnfit(`the log was created for a server ${kept.segment > 0 ? 'like' : 'unlike'} FerretDB 1.x`);
  if (segment !== kept.segment)
    throw new LogUnfit(
      `the log has ${kept.segment} positions in a collection, not ${segment}: an older release made it`,
    );
  return kept;
}

/** Creators of one collection may get in each other's way (FerretDB drops their connection); then they try again. */
async function patiently<T>(create: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await create();
    } catch (error) {
      if (attempt === 5 || (error as Error).name === 'MongoServerSelectionError') throw error;
      await pause(Math.random() * 40 * attempt);
    }
}
