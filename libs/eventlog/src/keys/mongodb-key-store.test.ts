import { describeEngines } from '@lyceum/testkit';
import { afterAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { Unavailable } from '../errors.ts';
import { testKeyStore } from '../testing/key-store.ts';
import { mongodbKeyStore } from './mongodb-key-store.ts';

for (const kind of ['mongodb', 'mongodb-indexed'] as const)
  await describeEngines(kind, (engine) => {
    const opened = engine.shared().then(({ url }) => ({ url, client: new MongoClient(url) }));
    afterAll(async () => (await opened).client.close());
    const freshName = (): string => `keys_${randomUUID().slice(0, 13)}`;

    testKeyStore('mongodbKeyStore', async () => {
      const { url, client } = await opened;
      const options = { url, database: freshName() };
      const first = await mongodbKeyStore(options);
      let store = first;
      const reopen = async () => {
        await store.close();
        return (store = await mongodbKeyStore(options));
      };
      const dispose = async () => {
        await store.close();
        await client.db(options.database).dropDatabase();
      };
      return { store: first, reopen, dispose };
    });

    test('what is left of a destroyed key is that it was destroyed', async () => {
      const { url, client } = await opened;
      const database = freshName();
      const store = await mongodbKeyStore({ url, database });
      await store.add({ tenant: 's' }, 'school key');
      await store.replace({ tenant: 's' }, 'school key', 'school key again');
      await store.add({ tenant: 's', subject: 'a' }, 'key of a');
      await store.destroy({ tenant: 's', subject: 'a' });
      await store.markReported({ tenant: 's', subject: 'a' });
      const left = await client.db(database).collection('keys').find().toArray();
      expect(left.map(({ kind, wrapped }) => [kind, wrapped]).toSorted()).toEqual([
        ['destroyed', ''],
        ['key', 'school key again'],
      ]);
      await store.close();
      await client.db(database).dropDatabase();
    });
  });

test('without a server the key store is unavailable', async () => {
  const opening = mongodbKeyStore({ url: 'mongodb://127.0.0.1:1/', database: 'keys' });
  await expect(opening).rejects.toThrow(Unavailable);
});
