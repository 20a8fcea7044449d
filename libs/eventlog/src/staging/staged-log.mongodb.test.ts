import { afterAll, describe, expect, test } from '@jest/globals';
import { availability } from '@lyceum/testkit';
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { ConcurrencyConflict } from '../errors.ts';
import { mongodbEventLog } from '../mongodb/mongodb.ts';
import { noted, sampleAppend, wholeLane } from '../testing/sample.ts';
import { stagedLog } from './staged-log.ts';

const { engines, reason } = await availability('mongodb');
if (engines.length === 0) test.skip(`staged commits on a MongoDB-wire server: ${reason}`, () => undefined);

describe.each(engines)('staged commits on $title', (engine) => {
  const database = `log_${randomUUID().slice(0, 13)}`;
  const opened = engine.shared().then(async ({ url }) => ({
    log: await mongodbEventLog({ url, database, lanes: 4, ...(engine.usedAs && { engine: engine.usedAs }) }),
    client: new MongoClient(url),
  }));
  afterAll(async () => {
    const { log, client } = await opened;
    await log.close();
    await client.db(database).dropDatabase();
    await client.close();
  });
  const note = (stream: string, version: number) =>
    sampleAppend({ expectations: [{ stream, version }], events: [noted(stream)] });

  test('are written in order, and nothing that follows from one that was refused', async () => {
    const { log } = await opened;
    const staged = stagedLog(log);
    const all = [note('order-1', 0), note('order-1', 1), note('limit', 0), note('order-1', 2)];
    for (const append of all) await staged.log.append(append);
    await staged.write();
    const lane = log.laneOf(all[0]!.tenant);
    expect((await wholeLane(log, lane)).map(({ commitId }) => commitId)).toEqual(all.map(({ commitId }) => commitId));

    const placed = {
      ...note('order-2', 0),
      expectations: [
        { stream: 'order-2', version: 0 },
        { stream: 'limit', version: 1 },
      ],
    };
    for (const append of [placed, note('order-2', 1), note('other', 0)]) await staged.log.append(append);
    await log.append(note('limit', 1));
    await expect(staged.write()).rejects.toThrow(ConcurrencyConflict);
    expect(await wholeLane(log, lane)).toHaveLength(5);
  });
});
