import { availability } from '@lyceum/testkit';
import { afterAll, describe, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { mongodbDocuments } from './mongodb.ts';
import { testDocuments } from './testing.ts';

const { engines, reason } = await availability('mongodb');
if (engines.length === 0) test.skip(`documents on MongoDB-wire servers: ${reason}`, () => undefined);

describe.each(engines)('documents on $title', (engine) => {
  const names = new Set<string>();
  afterAll(async () => {
    const client = new MongoClient((await engine.shared()).url);
    for (const name of names) await client.db(name).dropDatabase();
    await client.close();
  });
  // A server's own way, and on FerretDB the way of servers that compare while they write.
  for (const used of [undefined, 'standalone'] as const) {
    const run = `documents_${randomUUID().slice(0, 8)}`;
    testDocuments(
      `${engine.title}${used ? ` used as ${used}` : ''}`,
      async (place) => {
        names.add(`${run}_${place}`);
        const { url } = await engine.shared();
        return mongodbDocuments({ url, database: `${run}_${place}`, ...(used && { engine: used }) });
      },
      { keeps: true },
    );
  }
});
