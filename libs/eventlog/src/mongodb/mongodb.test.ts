import { availability } from '@lyceum/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { followLog } from '../follow.ts';
import { mongodbEventLog } from './mongodb.ts';
import { Gap, Unavailable } from '../errors.ts';
import { checkHistory } from '../testing/mongodb-history.ts';
import { noted, wholeLane } from '../testing/sample.ts';
import { sampleAppend, testEventLog } from '../testing.ts';

const [scanned, indexed] = await Promise.all([availability('mongodb'), availability('mongodb-indexed')]);
for (const { engines, reason } of [scanned, indexed])
  if (engines.length === 0) test.skip(`the log on MongoDB-wire servers: ${reason}`, () => undefined);

const freshName = (): string => `log_${randomUUID().slice(0, 13)}`;

describe.each([...scanned.engines, ...indexed.engines])('the log on $title', (engine) => {
  /** What every log here is opened with. */
  const as = engine.usedAs && { engine: engine.usedAs };
  const opened = engine.shared().then(({ url }) => ({ url, client: new MongoClient(url) }));
  afterAll(async () => (await opened).client.close());

  testEventLog(engine.title, async () => {
    const { url, client } = await opened;
    const options = { url, database: freshName(), lanes: 4, ...as };
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

  test('ten processes may create one log at once; all get the lanes of the first', async () => {
    const { url, client } = await opened;
    const database = freshName();
    const logs = await Promise.all(
      Array.from({ length: 10 }, () => mongodbEventLog({ url, database, lanes: 4, ...as })),
    );
    await Promise.all(logs.map((log) => log.append(sampleAppend())));
    expect(await logs[0]!.head(logs[0]!.laneOf('school_a'))).toBe(10);
    await Promise.all(logs.map((log) => log.close()));
    await expect(mongodbEventLog({ url, database, lanes: 8, ...as })).rejects.toThrow('created with 4 lanes');
    const again = await mongodbEventLog({ url, database, ...as });
    expect(again.lanes).toBe(4);
    await again.close();
    await client.db(database).dropDatabase();
  });

  test('C17: all processes see one life of the log; another one begins when its document is deleted after a restore', async () => {
    const { url, client } = await opened;
    const options = { url, database: freshName(), lanes: 1, ...as };
    const logs = await Promise.all(Array.from({ length: 5 }, () => mongodbEventLog(options)));
    const [life, ...others] = logs.map(({ epoch }) => epoch);
    expect(life).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(others)).toEqual(new Set([life]));
    await Promise.all(logs.map((log) => log.close()));
    await client.db(options.database).collection('incarnation').deleteMany({});
    const restored = await mongodbEventLog(options);
    expect(restored.epoch).not.toBe(life);
    await restored.close();
    await client.db(options.database).dropDatabase();
  });

  test('C4: commits of another process ring the bell of this one, once each, without anybody asking', async () => {
    const { url, client } = await opened;
    const options = { url, database: freshName(), lanes: 2, ...as };
    const [own, other] = [await mongodbEventLog(options), await mongodbEventLog(options)];
    const rung: number[] = [];
    const unsubscribe = own.wake((lane) => rung.push(lane));
    const rings = async (count: number) => {
      for (const end = Date.now() + 10_000; rung.length < count && Date.now() < end;) await pause(10);
      await pause(400);
      return rung.length;
    };
    const lane = own.laneOf('school_a');
    await other.append(sampleAppend());
    expect(await rings(1)).toBe(1);
    await other.append(sampleAppend());
    expect(await rings(2)).toBe(2);
    expect(rung).toEqual([lane, lane]);
    const heard: number[] = [];
    const following = followLog(own, {
      from: async () => 0,
      handle: async (commits) => void heard.push(...commits.map(({ position }) => position)),
    });
    await following.caughtUp();
    await other.append(sampleAppend());
    for (const end = Date.now() + 10_000; heard.length < 3 && Date.now() < end;) await pause(10);
    expect(heard).toEqual([1, 2, 3]);
    unsubscribe();
    await following.close();
    await Promise.all([own.close(), other.close()]);
    await client.db(options.database).dropDatabase();
  }, 60_000);

  test('what a server that stands alone shows is given out after a journaled write, unless it is our own', async () => {
    const { url, client } = await opened;
    const options = { url, database: freshName(), lanes: 1, engine: 'standalone' } as const;
    const [own, other] = await Promise.all([mongodbEventLog(options), mongodbEventLog(options)]);
    const barrier = () => client.db(options.database).collection('barrier').findOne({});
    await own.append(sampleAppend());
    expect(await own.readLane(0, 0, 10)).toHaveLength(1);
    expect(await barrier()).toBeNull();
    expect(await other.readLane(0, 0, 10)).toHaveLength(1);
    expect(await barrier()).toMatchObject({ position: 1 });
    await Promise.all([own.close(), other.close()]);
    await client.db(options.database).dropDatabase();
  });

  test('E-C1: the newest commits that this process knows are hidden when they are not seen, and no gap', async () => {
    const { url, client } = await opened;
    const options = { url, database: freshName(), lanes: 1, engine: 'standalone' } as const;
    const own = await mongodbEventLog(options);
    for (let n = 0; n < 3; n += 1) await own.append(sampleAppend());
    const records = client.db(options.database).collection<{ _id: string }>('commits_0');
    const newest = await records.findOneAndDelete({ _id: '3'.padStart(16, '0') });
    await expect(own.readLane(0, 3, 10)).rejects.toThrow(Unavailable);
    const other = await mongodbEventLog(options);
    await expect(other.readLane(0, 3, 10)).rejects.toThrow(Gap);
    await records.insertOne(newest!);
    expect(await own.readLane(0, 3, 10)).toEqual([]);
    await Promise.all([own.close(), other.close()]);
    await client.db(options.database).dropDatabase();
  });

  test('a lane goes on over its segments: many commits, read in pages, found by stream and id, opened again', async () => {
    const { url, client } = await opened;
    const options = { url, database: freshName(), lanes: 1, ...as };
    const log = await mongodbEventLog(options);
    const count = 600;
    const appends = Array.from({ length: count }, (_, n) => sampleAppend({ events: [noted(`s-${n % 100}`)] }));
    await Promise.all(appends.map((append) => log.append(append)));
    const again = await mongodbEventLog(options);
    for (const each of [log, again]) {
      expect((await wholeLane(each, 0, 250)).map((commit) => commit.commitId)).toHaveLength(count);
      expect((await each.load('school_a', ['s-7'])).commits.map((commit) => commit.position)).toEqual(
        Array.from({ length: 6 }, (_, n) => n * 100 + 8),
      );
      expect(await each.find('school_a', appends[300]!.commitId)).toMatchObject({ position: 301 });
      expect(await each.readLane(0, 255, 3)).toHaveLength(3);
    }
    expect((await again.append(sampleAppend())).commit.position).toBe(count + 1);
    expect(await log.append(appends[10]!)).toMatchObject({ replayed: true, commit: { position: 11 } });
    await Promise.all([log.close(), again.close()]);
    const { commits, faults } = await checkHistory(url, options.database, []);
    expect([commits, faults]).toEqual([count + 1, []]);
    await client.db(options.database).dropDatabase();
  });

  test.each([
    ['a missing commit', { remove: 3, alter: 0 }, 3],
    ['a commit that does not follow its predecessor', { remove: 0, alter: 4 }, 4],
  ])('%s is a gap, and what comes before it is still read', async (_, { remove, alter }, at) => {
    const { url, client } = await opened;
    const database = freshName();
    const log = await mongodbEventLog({ url, database, lanes: 1, ...as });
    for (let n = 0; n < 5; n += 1) await log.append(sampleAppend());
    const names = await client.db(database).listCollections({}, { nameOnly: true }).toArray();
    const { name } = names.find((each) => each.name.startsWith('commits_0'))!;
    const records = client.db(database).collection<{ _id: string; prev?: string; crc?: number }>(name);
    if (remove) await records.deleteOne({ _id: String(remove).padStart(16, '0') });
    // Without its checksum, as older releases wrote it: with one it is damaged.
    const unchained = { $set: { prev: 'x' }, $unset: { crc: '' as const } };
    if (alter) await records.updateOne({ _id: String(alter).padStart(16, '0') }, unchained);
    await log.close();
    const damaged = await mongodbEventLog({ url, database, ...as });
    await expect(damaged.readLane(0, 0, 10)).rejects.toMatchObject({ name: Gap.name, lane: 0, at });
    expect(await damaged.readLane(0, 0, at - 1)).toHaveLength(at - 1);
    await damaged.close();
    await client.db(database).dropDatabase();
  });
});

test('without a server the log is unavailable, within three seconds', async () => {
  const began = Date.now();
  const opening = mongodbEventLog({ url: 'mongodb://127.0.0.1:1/', database: 'none' });
  await expect(opening).rejects.toThrow(Unavailable);
  expect(Date.now() - began).toBeLessThan(3_000);
});
