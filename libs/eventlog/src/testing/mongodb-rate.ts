import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { mongodbEventLog } from '../mongodb.ts';
import { recordOf } from '../mongodb-record.ts';
import { draft } from '../draft.ts';
import { noted, sampleAppend } from './sample.ts';

/**
 * Appends of 64 callers on one lane beside raw ordered inserts of 64 like documents, on the same server, in turns:
 * `node libs/eventlog/dist/testing/mongodb-rate.js <url> [rounds=5] [seconds=2]`. Prints one JSON line with medians.
 */
const [url, ...given] = process.argv.slice(2);
if (!url) throw new Error('which server? mongodb://host:port/');
const [rounds = 5, seconds = 2] = given.map(Number);
const callers = 64;
const client = new MongoClient(url, { retryWrites: false });
const db = client.db(`rate_${randomUUID().slice(0, 8)}`);
const text = 'x'.repeat(150);
const sample = () => sampleAppend({ events: [noted(`note-${Math.floor(Math.random() * 1_000)}`, text)] });
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
let serial = 0;

/** `indexed`: with the index on commit ids that the log has. */
async function raw(indexed: boolean): Promise<number> {
  const name = `raw_${(serial += 1)}`;
  const records = db.collection<{ _id: string }>(name, { writeConcern: { w: 'majority', journal: true } });
  if (indexed) await records.createIndex({ tenant: 1, cid: 1 }, { unique: true });
  else await db.createCollection(name);
  let position = 0;
  const began = performance.now();
  while (performance.now() - began < seconds * 1_000) {
    const batch = Array.from({ length: callers }, () => {
      const { commitId, written, ...rest } = draft(sample());
      const streams = written.map(({ stream, count }) => ({ id: stream, before: 0, after: count }));
      return recordOf({ ...rest, commitId, streams, lane: 0, position: (position += 1), prev: commitId });
    });
    await records.insertMany(batch, { ordered: true });
  }
  return position / ((performance.now() - began) / 1_000);
}

async function appends(): Promise<number> {
  const database = `${db.databaseName}_${(serial += 1)}`;
  const log = await mongodbEventLog({ url: url!, database, lanes: 1 });
  await log.append(sample());
  let count = 0;
  const began = performance.now();
  const caller = async (): Promise<void> => {
    for (; performance.now() - began < seconds * 1_000; count += 1) await log.append(sample());
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const rate = count / ((performance.now() - began) / 1_000);
  await log.close();
  await client.db(database).dropDatabase();
  return rate;
}

const results = { raw: [] as number[], rawIndexed: [] as number[], appends: [] as number[] };
for (let round = 0; round < rounds; round += 1) {
  results.raw.push(await raw(false));
  results.appends.push(await appends());
  results.rawIndexed.push(await raw(true));
}
await db.dropDatabase();
await client.close();
const [plain, indexed, own] = [results.raw, results.rawIndexed, results.appends].map(median) as [
  number,
  number,
  number,
];
const rounded = { raw: Math.round(plain), rawIndexed: Math.round(indexed), appends: Math.round(own) };
const ratio = { raw: +(own / plain).toFixed(2), rawIndexed: +(own / indexed).toFixed(2) };
process.stdout.write(`${JSON.stringify({ ...rounded, ratio })}\n`);
