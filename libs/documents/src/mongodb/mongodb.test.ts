import { availability } from '@lyceum/testkit';
import { afterAll, describe, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { mongodbDocuments } from './mongodb.ts';
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
  testDocuments(
    engine.title,
    async (place) => {
      names.add(`${run}_${place}`);
      const { url } = await engine.shared();
      const as = engine.usedAs && { engine: engine.usedAs };
      return mongodbDocuments({ url, database: `${run}_${place}`, ...as });
    },
    { keeps: true, lacksNul: engine.title.includes('PostgreSQL') },
  );
});
