import { type MongoEngine, failureOf } from '@lyceum/mongo';
import type { Collection, Db, IndexDescription } from 'mongodb';
import { setTimeout as pause } from 'node:timers/promises';
import { checkLanes, defaultLanes } from './lane.ts';
import type { CommitRecord } from './mongodb-record.ts';

interface Declaration {
  readonly _id: 'log';
  readonly lanes: number;
}

/** A commit id is stored once in a lane, and a tenant has one lane. */
const byId: IndexDescription = { key: { tenant: 1, cid: 1 }, unique: true };
/** The position is in the index, so that the newest commit of a stream is one look-up. */
const byStream: IndexDescription = { key: { tenant: 1, 'streams.id': 1, _id: 1 } };

/**
 * Finds or creates a log in a database; any number of processes may do so at once. Gives the collections of its lanes.
 * Throws an `Error` when the log was created with other lanes, and what the driver throws.
 */
export async function openLanes(
  db: Db,
  engine: MongoEngine,
  lanes: number | undefined,
): Promise<readonly Collection<CommitRecord>[]> {
  const count = await declaredLanes(db.collection<Declaration>('log'), lanes);
  // FerretDB 1.x pays for every index and reads by none.
  const indexes = engine === 'ferretdb-1' ? [byId] : [byId, byStream];
  const collections = Array.from({ length: count }, (_, lane) => db.collection<CommitRecord>(`commits_${lane}`));
  // One index at a time: FerretDB 1.x fails when it is asked for two that are there already.
  for (const index of indexes)
    await Promise.all(collections.map((each) => patiently(() => each.createIndexes([index]))));
  return collections;
}

async function declaredLanes(declarations: Collection<Declaration>, asked: number | undefined): Promise<number> {
  const lanes = checkLanes(asked ?? defaultLanes);
  const stored = await declarations.findOne({ _id: 'log' });
  if (!stored)
    await patiently(async () => {
      await declarations.insertOne({ _id: 'log', lanes }).catch((error: unknown) => {
        if (failureOf(error) !== 'duplicate') throw error;
      });
    });
  const kept = stored ?? (await declarations.findOne({ _id: 'log' }))!;
  if (asked !== undefined && asked !== kept.lanes)
    throw new Error(`the log was created with ${kept.lanes} lanes, not ${asked}`);
  return kept.lanes;
}

/** Creators of one collection may get in each other's way (FerretDB drops their connection); then they try again. */
async function patiently(create: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      await create();
      return;
    } catch (error) {
      if (attempt === 5 || (error as Error).name === 'MongoServerSelectionError') throw error;
      await pause(Math.random() * 40 * attempt);
    }
}
