import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Cluster, Redis } from 'ioredis';
import type { BackingServer } from '../backing-server.ts';
import { describeEngines } from '../describe-engines.ts';

const owned = ({ origin }: { origin: string }) => origin !== 'given';

/** One connection for a few commands; a broken server is an error at once, not a wait. */
async function using<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { maxRetriesPerRequest: 0, retryStrategy: () => null, commandTimeout: 1000 });
  redis.on('error', () => {});
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

await describeEngines(
  'redis',
  (engine) => {
    let server: BackingServer;
    beforeAll(async () => void (server = await engine.start()), 300_000);
    afterAll(() => server.stop(), 60_000);

    test('what was answered is still there after SIGKILL and a restart on the same port', async () => {
      expect(await using(server.url, (redis) => redis.set('lesson', 'one'))).toBe('OK');
      await server.kill();
      await expect(using(server.url, (redis) => redis.get('lesson'))).rejects.toThrow();
      await server.restart();
      expect(await using(server.url, (redis) => redis.get('lesson'))).toBe('one');
    }, 60_000);

    test('a paused server does not answer and a resumed one does', async () => {
      await server.pause();
      await expect(using(server.url, (redis) => redis.ping())).rejects.toThrow('timed out');
      await server.resume();
      expect(await using(server.url, (redis) => redis.ping())).toBe('PONG');
    }, 60_000);

    test('every program of a test run gets the same shared server', async () => {
      const [one, other] = await Promise.all([engine.shared(), engine.shared()]);
      expect(one).toEqual(other);
      expect(one.url).not.toBe(server.url);
      expect(await using(one.url, (redis) => redis.ping())).toBe('PONG');
    }, 300_000);
  },
  owned,
);

await describeEngines(
  'redis-cluster',
  (engine) => {
    let server: BackingServer;
    let cluster: Cluster;
    beforeAll(async () => void (server = await engine.start()), 300_000);
    afterAll(() => server.stop(), 60_000);

    const connected = () => {
      cluster = new Cluster(server.url.split(','), { clusterRetryStrategy: () => 100 });
      cluster.on('error', () => {});
      return cluster;
    };

    test('keys live on all masters and are still there after SIGKILL of all of them', async () => {
      const keys = Array.from({ length: 60 }, (_, index) => `key-${index}`);
      connected();
      for (const key of keys) expect(await cluster.set(key, key.toUpperCase())).toBe('OK');
      const sizes = await Promise.all(cluster.nodes('master').map((master) => master.dbsize()));
      expect(sizes).toHaveLength(3);
      expect(Math.min(...sizes)).toBeGreaterThan(0);
      cluster.disconnect();
      await server.kill();
      await server.restart();
      connected();
      const found = await Promise.all(keys.map((key) => cluster.get(key)));
      cluster.disconnect();
      expect(found).toEqual(keys.map((key) => key.toUpperCase()));
    }, 60_000);

    // A container holds all masters in one.
    const single = engine.origin === 'local' ? test : test.skip;
    single(
      'one master alone is killed and comes back',
      async () => {
        const urls = server.url.split(',');
        expect(server.nodes).toBe(urls.length);
        await server.kill(1);
        await expect(using(urls[1]!, (redis) => redis.ping())).rejects.toThrow();
        expect(await using(urls[0]!, (redis) => redis.ping())).toBe('PONG');
        await server.restart(1);
        expect(await using(urls[1]!, (redis) => redis.dbsize())).toBeGreaterThan(0);
      },
      60_000,
    );
  },
  owned,
);
