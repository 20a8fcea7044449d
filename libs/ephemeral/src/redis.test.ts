import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type BackingServer, availability, until } from '@lyceum/testkit';
import { Cluster, Redis } from 'ioredis';
import { type Ephemeral, EphemeralFull, EphemeralUnavailable } from './port.ts';
import { redisEphemeral } from './redis.ts';
import { testEphemeral } from './testing.ts';

/** A client beside the adapter, to look at the keys and to let time pass: it shortens every key's time to live. */
class Operator {
  readonly #nodes: () => readonly Redis[];
  readonly close: () => void;

  static async of(url: string): Promise<Operator> {
    const seeds = url.split(',').map((each) => ({ host: new URL(each).hostname, port: Number(new URL(each).port) }));
    if (seeds.length === 1) return new Operator(new Redis(seeds[0]!));
    const cluster = new Cluster(seeds);
    await new Promise((resolve) => cluster.once('ready', resolve));
    return new Operator(cluster);
  }

  constructor(client: Redis | Cluster) {
    this.#nodes = () => (client instanceof Cluster ? client.nodes('master') : [client]);
    client.on('error', () => undefined);
    this.close = () => client.disconnect();
  }

  async keys(prefix: string): Promise<readonly string[][]> {
    return Promise.all(this.#nodes().map((node) => node.keys(`${prefix}:*`)));
  }

  async call(command: string, ...args: string[]): Promise<void> {
    for (const node of this.#nodes()) await node.call(command, ...args);
  }

  async advance(prefix: string, milliseconds: number): Promise<void> {
    for (const node of this.#nodes())
      for (const key of await node.keys(`${prefix}:*`)) {
        const left = (await node.pttl(key)) - milliseconds;
        await (left > 0 ? node.pexpire(key, left) : node.del(key));
      }
  }
}

for (const kind of ['redis', 'redis-cluster'] as const) {
  const { engines, reason } = await availability(kind);
  if (engines.length === 0) test.skip(`redisEphemeral: ${reason}`, () => undefined);
  for (const engine of engines) onEngine(engine.title, engine.start);
}

function onEngine(title: string, start: () => Promise<BackingServer>): void {
  describe(`${title}:`, () => {
    let server: BackingServer;
    let operator: Operator;
    const opened: Ephemeral[] = [];
    beforeAll(async () => {
      server = await start();
      operator = await Operator.of(server.url);
    }, 60_000);
    afterEach(async () => void (await Promise.all(opened.splice(0).map((each) => each.close()))));
    afterAll(async () => {
      operator.close();
      await server.stop();
    });
    const open = async (prefix: string = randomUUID()): Promise<Ephemeral> => {
      const ephemeral = await redisEphemeral({ url: server.url, prefix });
      opened.push(ephemeral);
      return ephemeral;
    };

    testEphemeral(title, async () => {
      const prefix = randomUUID();
      return { ephemeral: await open(prefix), advance: (milliseconds) => operator.advance(prefix, milliseconds) };
    });

    test('what Redis itself lets expire is gone', async () => {
      const ephemeral = await open();
      await ephemeral.putIfAbsent('code', 'grant', 60);
      await ephemeral.increment('count', 60);
      await pause(90);
      expect(await ephemeral.redeem('code', 'used', 60)).toEqual({ state: 'absent' });
      expect((await ephemeral.increment('count', 60)).count).toBe(1);
    });

    test('a code redeemed by 50 callers of two processes, again and again: each time one gets it', async () => {
      const prefix = randomUUID();
      const clients = [await open(prefix), await open(prefix)];
      for (let round = 0; round < 200 / server.nodes; round += 1) {
        await clients[0]!.putIfAbsent(`code ${round}`, 'grant', 60_000);
        const calls = Array.from({ length: 50 }, (_, caller) =>
          clients[caller % 2]!.redeem(`code ${round}`, `by ${caller}`, 60_000),
        );
        const results = await Promise.all(calls);
        const winner = results.findIndex(({ state }) => state === 'live');
        expect(results.filter(({ state }) => state === 'live')).toEqual([{ state: 'live', value: 'grant' }]);
        const tombstones = results.flatMap((each) => (each.state === 'redeemed' ? [each.tombstone] : []));
        expect(tombstones).toEqual(Array.from({ length: 49 }, () => `by ${winner}`));
      }
    });

    test('one tenant’s keys are on every node, and no key tells what it is for', async () => {
      const prefix = randomUUID();
      const ephemeral = await open(prefix);
      for (let count = 0; count < 60; count += 1)
        await ephemeral.putIfAbsent(`school_1:code:${count}:ana@example.org`, 'v', 60_000);
      const nodes = await operator.keys(prefix);
      expect(nodes.flat()).toHaveLength(60);
      expect(Math.min(...nodes.map((keys) => keys.length))).toBeGreaterThan(0);
      expect(nodes.flat().filter((key) => !/^[\w-]+:\{[\w-]{43}\}$/.test(key))).toEqual([]);
    });

    test('a server that forgot the scripts is sent them again', async () => {
      const ephemeral = await open();
      await ephemeral.putIfAbsent('code', 'grant', 60_000);
      await operator.call('script', 'flush');
      expect(await ephemeral.redeem('code', 'used', 60_000)).toEqual({ state: 'live', value: 'grant' });
    });

    test('another process hears a signal, and one of another installation does not', async () => {
      const prefix = randomUUID();
      const [teller, hearer, stranger] = [await open(prefix), await open(prefix), await open()];
      const [heard, overheard]: [string[], string[]] = [[], []];
      const hearings = [
        hearer.listen('log', (text) => heard.push(text)),
        stranger.listen('log', (text) => overheard.push(text)),
      ];
      await until(() => hearings.every(({ isConnected }) => isConnected), 'a connection of both');
      teller.signal('log', 'lane 3');
      await until(() => heard.length > 0, 'the signal');
      expect([heard, overheard]).toEqual([['lane 3'], []]);
    });

    test('C13: a flushed server knows no code and no count, and goes on', async () => {
      const ephemeral = await open();
      await ephemeral.putIfAbsent('code', 'grant', 60_000);
      await ephemeral.increment('count', 60_000);
      await operator.call('flushall');
      expect(await ephemeral.redeem('code', 'used', 60_000)).toEqual({ state: 'absent' });
      expect((await ephemeral.increment('count', 60_000)).count).toBe(1);
      expect(await ephemeral.putIfAbsent('code', 'again', 60_000)).toBe(true);
    });

    test('a server without room says so, reads go on, and room brings it back', async () => {
      const ephemeral = await open();
      await ephemeral.putIfAbsent('a', 'kept', 60_000);
      await operator.call('config', 'set', 'maxmemory', '1');
      await expect(ephemeral.putIfAbsent('b', 'v', 60_000)).rejects.toThrow(EphemeralFull);
      expect(await ephemeral.get('a')).toBe('kept');
      await operator.call('config', 'set', 'maxmemory', '0');
      expect(await ephemeral.putIfAbsent('b', 'v', 60_000)).toBe(true);
    });

    test('a killed server is refused quickly, and used again without a restart of the client', async () => {
      const ephemeral = await open();
      await ephemeral.putIfAbsent('a', 'v', 60_000);
      const heard: string[] = [];
      const hearing = ephemeral.listen('log', (text) => heard.push(text));
      await until(() => hearing.isConnected, 'a connection');
      await server.kill();
      await until(() => !hearing.isConnected, 'its loss');
      const began = Date.now();
      for (let count = 0; count < 20; count += 1)
        await expect(ephemeral.get('a')).rejects.toThrow(EphemeralUnavailable);
      expect(Date.now() - began).toBeLessThan(4_000);
      await server.restart();
      await expect(eventually(() => ephemeral.get('a'))).resolves.toBe('v');
      await until(() => hearing.isConnected, 'another connection');
      ephemeral.signal('log', 'grown');
      await until(() => heard.length > 0, 'the signal');
    });

    test('a server that hangs costs a call its time, no more, and answers again when it goes on', async () => {
      const ephemeral = await redisEphemeral({ url: server.url, prefix: randomUUID(), timeout: 300 });
      opened.push(ephemeral);
      // With so little patience the client may not have found every server of a cluster yet.
      await eventually(() => ephemeral.putIfAbsent('a', 'v', 60_000));
      await server.pause();
      const began = Date.now();
      await expect(ephemeral.get('a')).rejects.toThrow(EphemeralUnavailable);
      expect(Date.now() - began).toBeLessThan(3_000);
      await server.resume();
      await expect(eventually(() => ephemeral.get('a'))).resolves.toBe('v');
    });
  });
}

/** The first answer within ten seconds. */
async function eventually<T>(call: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + 10_000; ; await pause(20))
    try {
      return await call();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
}
