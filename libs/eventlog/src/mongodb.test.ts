import { availability } from '@lyceum/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { mongodbEventLog } from './mongodb.ts';
import { testEventLog } from './testing.ts';

const { engines, reason } = await availability('mongodb');
if (engines.length === 0) test.skip(reason, () => undefined);

for (const engine of engines) {
  const { url } = await engine.shared();
  const client = new MongoClient(url);
  afterAll(() => client.close());
  for (const read of ['ferretdb-1', 'standalone'] as const)
    testEventLog(`${engine.title}, ${read}`, async () => {
      const options = { url, database: `log_${randomUUID().slice(0, 13)}`, lanes: 4, engine: read };
      let log = await mongodbEventLog(options);
      return {
        log,
        reopen: async () => {
          await log.close();
          log = await mongodbEventLog(options);
          return log;
        },
        dispose: async () => {
          await log.close();
          await client.db(options.database).dropDatabase();
        },
      };
    });
}
