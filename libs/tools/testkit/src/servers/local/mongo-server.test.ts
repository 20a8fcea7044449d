import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import type { BackingServer } from '../backing-server.ts';
import { describeEngines } from '../describe-engines.ts';

async function using<T>(url: string, work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 1000, socketTimeoutMS: 1000 });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

for (const kind of ['mongodb', 'mongodb-indexed'] as const)
  await describeEngines(
    kind,
    (engine) => {
      let server: BackingServer;
      beforeAll(async () => void (server = await engine.start()), 300_000);
      afterAll(() => server.stop(), 60_000);

      const all = () => using(server.url, (client) => client.db('school').collection('courses').find().toArray());

      test('documents are still there after SIGKILL and a restart on the same port', async () => {
        const courses = [
          { _id: 1 as never, title: 'Copper' },
          { _id: 2 as never, title: 'Glass' },
        ];
        await using(server.url, async (client) => {
          const collection = client.db('school').collection('courses', { writeConcern: { w: 'majority', j: true } });
          expect((await collection.insertMany(courses, { ordered: true })).insertedCount).toBe(2);
          await expect(collection.insertOne({ _id: 1 as never })).rejects.toMatchObject({ code: 11_000 });
        });
        await server.kill();
        await expect(all()).rejects.toThrow();
        await server.restart();
        expect(await all()).toEqual(courses);
      }, 60_000);

      test('a paused server does not answer and a resumed one does', async () => {
        await server.pause();
        await expect(all()).rejects.toThrow();
        await server.resume();
        expect(await all()).toHaveLength(2);
      }, 60_000);
    },
    ({ origin }) => origin !== 'given',
  );
