import type { Db } from 'mongodb';
import { MongoClient } from 'mongodb';
import { type CommitRecord, type PackedRecord, commitOf, unpacked } from '../mongodb/mongodb-record.ts';
import type { SegmentRecord } from '../mongodb/segments.ts';
import type { StoredCommit } from '../storage/store.ts';

/** What a look at the stored log found. Everything in `faults` is a broken promise. */
export interface History {
  readonly commits: number;
  readonly faults: readonly string[];
}

/**
 * Reads a log past the adapter and checks it against what its writers were told: lanes contiguous from 1 and chained,
 * streams contiguous, no commit id twice, every acknowledged `<lane> <position> <commit id>` stored exactly there.
 */
export async function checkHistory(url: string, database: string, acknowledged: Iterable<string>): Promise<History> {
  const client = new MongoClient(url);
  try {
    const db = client.db(database);
    const { lanes } = (await db.collection('log').findOne({}))! as unknown as { lanes: number };
    const faults: string[] = [];
    const stored = new Set<string>();
    const ids = new Set<string>();
    let commits = 0;
    for (let lane = 0; lane < lanes; lane += 1)
      for await (const { commitId: cid, tenant, position } of walk(rows(db, lane), lane, faults)) {
        commits += 1;
        stored.add(`${lane} ${position} ${cid}`);
        if (ids.has(`${tenant} ${cid}`)) faults.push(`commit ${cid} of ${tenant} is stored twice`);
        ids.add(`${tenant} ${cid}`);
      }
    const told = new Set<string>();
    for (const line of acknowledged) {
      if (!stored.has(line)) faults.push(`acknowledged, but not stored: ${line}`);
      if (told.has(line)) faults.push(`acknowledged twice: ${line}`);
      told.add(line);
    }
    return { commits, faults };
  } finally {
    await client.close();
  }
}

/** What a lane is kept in: one collection, or several one after the other. */
async function* rows(db: Db, lane: number): AsyncGenerator<StoredCommit> {
  const segments = await db.collection<SegmentRecord>('segments').find({}).toArray();
  const own = segments.filter(({ _id }) => _id.startsWith(`${lane}/`));
  own.sort((a, b) => Number(a._id.split('/')[1]) - Number(b._id.split('/')[1]));
  const names = own.length > 0 ? own.map(({ name }) => name) : [`commits_${lane}`];
  for (const name of names)
    for await (const record of db
      .collection<CommitRecord | PackedRecord>(name)
      .find({}, { batchSize: 1_000 })
      .sort('_id', 1))
      yield 'text' in record ? unpacked(lane, record) : commitOf(lane, record);
}

/** One lane in order; its faults are added as they are met. */
async function* walk(rows: AsyncIterable<StoredCommit>, lane: number, faults: string[]): AsyncGenerator<StoredCommit> {
  const versions = new Map<string, number>();
  let position = 0;
  let prev = '';
  for await (const row of rows) {
    position += 1;
    if (row.position !== position) faults.push(`lane ${lane}: ${row.position} where ${position} should be`);
    if (row.prev !== prev) faults.push(`lane ${lane}: ${position} follows ${row.prev}, not ${prev}`);
    prev = row.commitId;
    for (const { id, before, after } of row.streams) {
      const key = `${row.tenant}\0${id}`;
      if (before !== (versions.get(key) ?? 0) || after <= before)
        faults.push(`lane ${lane}: ${position} takes ${id} from ${before} to ${after}, not ${versions.get(key) ?? 0}`);
      versions.set(key, after);
    }
    yield row;
  }
}
