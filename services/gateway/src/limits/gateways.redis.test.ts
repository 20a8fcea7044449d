import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Ephemeral, redisEphemeral } from '@lyceum/ephemeral';
import { systemClock } from '@lyceum/kernel';
import { describeEngines } from '@lyceum/testkit';
import { randomUUID } from 'node:crypto';
import { type TestEdge, openTestEdge } from '../testing/test-edge.ts';
import { batchOf } from './lease.ts';
import { LeaseTable } from './lease-table.ts';
import { mcpLimit } from './request-limits.ts';
import { countedFor } from './request-limits.ts';

/** A minute's requests of an address without a token, and what a process holds of them. */
const quota = 120;
const batch = batchOf(quota);

await describeEngines('redis', (engine) => {
  let houses: readonly TestEdge[];
  let tables: readonly LeaseTable[];
  let stores: readonly Ephemeral[];
  let began: number;

  beforeEach(async () => {
    const { url } = await engine.shared();
    const prefix = randomUUID();
    stores = await Promise.all(['one', 'two'].map(() => redisEphemeral({ url, prefix })));
    const logger = { info: () => undefined, error: () => undefined };
    tables = stores.map(
      (ephemeral) => new LeaseTable({ ephemeral, clock: systemClock, logger, patience: 10_000 }, countedFor),
    );
    houses = await Promise.all(tables.map((quotas) => openTestEdge({}, { quotas })));
    began = Date.now();
  });
  afterEach(async () => {
    await Promise.all(houses.map((edge) => edge.close()));
    await Promise.all(stores.map((store) => store.close()));
  });

  /** Asks so many times, a few side by side; resolves to how many were let through. */
  const admitted = async (edge: TestEdge, times: number): Promise<number> => {
    let passed = 0;
    for (let left = times; left > 0; left -= 10) {
      const asked = Array.from({ length: Math.min(10, left) }, () => edge.ask('GET', '/api/courses'));
      for (const { status } of await Promise.all(asked)) {
        expect([200, 429]).toContain(status);
        if (status === 200) passed += 1;
      }
    }
    return passed;
  };
  /** What may have been refilled since the beginning. */
  const refilled = (units = quota): number => Math.ceil(((Date.now() - began) / countedFor) * units);

  test('two gateways let through one quota together, and at most a batch more for each', async () => {
    const passed = await Promise.all(houses.map((edge) => admitted(edge, quota)));
    const all = passed[0]! + passed[1]!;
    expect(all).toBeGreaterThanOrEqual(quota - 2 * batch);
    expect(all).toBeLessThanOrEqual(quota + 2 * batch + refilled());
    for (const edge of houses) expect(edge.seen.length).toBeLessThanOrEqual(quota);
  });

  test('who comes to one gateway after the other finds there what is left, and then nothing', async () => {
    const [one, two] = houses as [TestEdge, TestEdge];
    expect(await admitted(one, 70)).toBe(70);
    const { headers } = await two.ask('GET', '/api/courses');
    const left = Number(/;r=(\d+)/.exec(headers['ratelimit']!)![1]);
    expect(left).toBeLessThanOrEqual(quota - 70 + refilled());
    expect(left).toBeGreaterThanOrEqual(quota - 70 - 2 * batch);
    expect(await admitted(two, 70)).toBeLessThanOrEqual(quota - 70 + refilled());
  });

  test('the MCP server of both counts in the same quotas, beside the API', async () => {
    const [one, two] = tables.map((quotas) => mcpLimit(quotas, 1));
    const from = ['school_home', ['address', '127.0.0.1']] as const;
    for (let asked = 0; asked < 100; asked += 1) expect((await one!(...from)).outcome).toBe('admitted');
    const there = await two!(...from);
    expect(there).toMatchObject({ outcome: 'admitted', policy: { name: 'mcp', quota: 300 } });
    expect('left' in there && there.left).toBeLessThanOrEqual(200 + refilled(300));
    expect(await two!('school_home', ['address', '127.0.0.2'])).toMatchObject({ left: 299 });
    expect((await houses[1]!.ask('GET', '/api/courses')).headers['ratelimit']).toContain('"anonymous";r=119');
  });
});
