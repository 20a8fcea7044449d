import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Ephemeral, redisEphemeral } from '@lyceum/ephemeral';
import { systemClock } from '@lyceum/kernel';
import { type BackingServer, availability } from '@lyceum/testkit';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { batchOf } from './lease.ts';
import { LeaseTable } from './lease-table.ts';

const quota = 120;
/** So long that nothing is refilled meanwhile. */
const window = 100_000_000;

const { engines, reason } = await availability('redis');
if (engines.length === 0) test.skip(`leases in Redis: ${reason}`, () => undefined);
for (const engine of engines.slice(0, 1)) onEngine(engine.title, engine.start);

function onEngine(title: string, start: () => Promise<BackingServer>): void {
  describe(`leases in ${title}:`, () => {
    let server: BackingServer;
    const opened: Ephemeral[] = [];
    beforeAll(async () => void (server = await start()), 60_000);
    afterEach(async () => void (await Promise.all(opened.splice(0).map((each) => each.close()))));
    afterAll(() => server.stop());

    /** As many processes, each with its own connection, and what they logged. */
    async function processes(count: number, patience = 2_000) {
      const prefix = randomUUID();
      const lines: string[] = [];
      const write = (_: object, text: string) => void lines.push(text);
      const tables: LeaseTable[] = [];
      for (let made = 0; made < count; made += 1) {
        const ephemeral = await redisEphemeral({ url: server.url, prefix });
        opened.push(ephemeral);
        const options = { ephemeral, clock: systemClock, logger: { info: write, error: write }, patience };
        tables.push(new LeaseTable(options, window));
      }
      return { tables, lines };
    }
    const used = async (table: LeaseTable, times: number): Promise<number> => {
      const asked = Array.from({ length: times }, () => table.take('school_1 a', quota));
      return (await Promise.all(asked)).filter((each) => each?.taken).length;
    };

    test('three processes that race have one quota together', async () => {
      const { tables } = await processes(3);
      const [first, rest] = [
        await Promise.all(tables.map((table) => used(table, 25))),
        await Promise.all(tables.map((table) => used(table, 200))),
      ];
      expect([...first, ...rest].reduce((sum, each) => sum + each, 0)).toBe(quota);
    });

    test('one by one at three processes in turn: the quota, however the turns fall', async () => {
      const { tables } = await processes(3);
      let taken = 0;
      for (let asked = 0; asked < 600; asked += 1) taken += await used(tables[asked % 3]!, 1);
      expect(taken).toBeGreaterThanOrEqual(quota);
      expect(taken).toBeLessThanOrEqual(quota + 3 * batchOf(quota));
    });

    test('Redis is killed and comes back: each process counts alone meanwhile, then together again', async () => {
      const { tables, lines } = await processes(2);
      expect(await used(tables[0]!, 50)).toBe(50);
      await server.kill();
      expect(await used(tables[0]!, 200)).toBe(70);
      expect(await used(tables[1]!, 200)).toBe(quota);
      expect(new Set(lines).size).toBe(1);
      await server.restart();
      for (const end = Date.now() + 10_000; Date.now() < end && lines.length < 4; await pause(50))
        for (const table of tables) await table.take('school_1 b', quota);
      expect(lines.slice(2)).toEqual(Array.from({ length: 2 }, () => expect.stringContaining('together again')));
      const together = await Promise.all(tables.map((table) => used(table, 5)));
      expect(together).toEqual([0, 0]);
    });
  });
}
