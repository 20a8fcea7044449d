import { availability } from '@lyceum/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { mongodbDocuments } from './mongodb.ts';
import type { Documents } from '../port.ts';
import { shelf } from '../testing/sample-collection.ts';
import { testDocuments } from '../testing.ts';

const [scanned, indexed] = await Promise.all([availability('mongodb'), availability('mongodb-indexed')]);
for (const { engines, reason } of [scanned, indexed])
  if (engines.length === 0) test.skip(`documents on MongoDB-wire servers: ${reason}`, () => undefined);

describe.each([...scanned.engines, ...indexed.engines])('documents on $title', (engine) => {
  const names = new Set<string>();
  afterAll(async () => {
    const client = new MongoClient((await engine.shared()).url);
    for (const name of names) await client.db(name).dropDatabase();
    await client.close();
  });
  const run = `documents_${randomUUID().slice(0, 8)}`;
  const open = async (place: string): Promise<Documents> => {
    names.add(`${run}_${place}`);
    const { url } = await engine.shared();
    const as = engine.usedAs && { engine: engine.usedAs };
    return mongodbDocuments({ url, database: `${run}_${place}`, ...as });
  };
  testDocuments(engine.title, open, { keeps: true, lacksNul: engine.title.includes('PostgreSQL') });

  test('processes that begin with nothing at the same time all open their collections', async () => {
    for (let time = 0; time < 3; time += 1) {
      const all = await Promise.all(Array.from({ length: 8 }, () => open(`begun${time}`)));
      const collections = Array.from({ length: 3 }, () => shelf());
      const opening = all.flatMap((documents) => collections.map((collection) => documents.open(collection)));
      const outcomes = await Promise.allSettled(opening);
      await Promise.all(all.map((documents) => documents.close()));
      expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
    }
  });
});
