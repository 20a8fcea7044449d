import { describe, expect, test } from '@jest/globals';
import { type Ephemeral, EphemeralUnavailable, type TakenMany, memoryEphemeral } from '@lyceum/ephemeral';
import { FakeClock } from '@lyceum/testkit';
import fc from 'fast-check';
import { batchOf } from './lease.ts';
import { LeaseTable } from './lease-table.ts';
import type { SharedQuotaOptions } from './shared-quotas.ts';

const window = 60_000;
const quiet: SharedQuotaOptions['logger'] = { info: () => undefined, error: () => undefined };

/** Processes that share a store in memory, which counts the calls. */
function setUp(processes: number, logger = quiet, patience = 250) {
  const clock = new FakeClock();
  const memory = memoryEphemeral(clock);
  const store = { calls: 0, answer: memory.takeMany as Ephemeral['takeMany'] };
  const ephemeral = {
    takeMany: (...asked: Parameters<Ephemeral['takeMany']>): Promise<TakenMany> => {
      store.calls += 1;
      return store.answer(...asked);
    },
  };
  const tables = Array.from(
    { length: processes },
    () => new LeaseTable({ ephemeral, clock, logger, patience }, window),
  );
  /** Asks one process; afterwards all that it does behind is done. */
  const take = async (process: number, quota: number, key = 'school_1 a') => {
    const taken = (await tables[process]!.take(key, quota))!;
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    return taken;
  };
  const untilRefused = async (process: number, quota: number): Promise<number> => {
    for (let taken = 0; ; taken += 1) if (!(await take(process, quota)).taken) return taken;
  };
  return { clock, store, memory, tables, take, untilRefused };
}

describe('leases of a shared quota', () => {
  test('one process alone has the whole quota, and gets it back evenly', async () => {
    for (const quota of [1, 2, 19, 20, 120, 600]) {
      const { clock, untilRefused } = setUp(1);
      expect(await untilRefused(0, quota)).toBe(quota);
      clock.advance(Math.ceil(window / quota) + 1);
      expect(await untilRefused(0, quota)).toBe(1);
      clock.advance(window);
      expect(await untilRefused(0, quota)).toBe(quota);
    }
  });

  test('several processes have one quota together, whichever is asked', async () => {
    const { take } = setUp(3);
    let taken = 0;
    for (let asked = 0; asked < 600; asked += 1) if ((await take(asked % 3, 120)).taken) taken += 1;
    expect(taken).toBe(120);
  });

  test('requests at once share the calls that they wait for', async () => {
    const { store, tables } = setUp(3);
    const asked = tables.flatMap((table) => Array.from({ length: 100 }, () => table.take('school_1 a', 120)));
    const taken = (await Promise.all(asked)).filter((each) => each?.taken);
    expect(taken).toHaveLength(120);
    expect(store.calls).toBeLessThanOrEqual(9);
  });

  test('only the first request waits; then a batch is renewed behind the others, by one call for many', async () => {
    const { store, tables, take } = setUp(1);
    expect(tables[0]!.take('school_1 a', 600)).toBeInstanceOf(Promise);
    await take(0, 600);
    for (let asked = 2; asked < 600; asked += 1) {
      expect(tables[0]!.take('school_1 a', 600)).toMatchObject({ taken: true, left: 599 - asked });
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    }
    expect(store.calls).toBeLessThan(50);
  });

  test('what is refused is refused at once, without a call, until there may be more', async () => {
    const { clock, store, tables, untilRefused } = setUp(2);
    await untilRefused(0, 120);
    expect(await untilRefused(1, 120)).toBe(0);
    const before = store.calls;
    for (let asked = 0; asked < 100; asked += 1)
      for (const table of tables) expect(table.take('school_1 a', 120)).toMatchObject({ taken: false, left: 0 });
    expect(store.calls).toBe(before);
    clock.advance(501);
    expect((await untilRefused(1, 120)) + (await untilRefused(0, 120))).toBe(1);
  });

  test('what is left is known exactly where nobody else asks, and never more than the process may still use', async () => {
    const { clock, take } = setUp(2);
    const left = async (process: number) => (await take(process, 120)).left;
    expect([await left(0), await left(0), await left(0)]).toEqual([119, 118, 117]);
    clock.advance(1_000);
    expect(await left(0)).toBe(118);
    for (let asked = 0; asked < 50; asked += 1) await take(1, 120);
    clock.advance(1);
    expect(await left(1)).toBeLessThanOrEqual(69);
  });

  test('keys are counted each by itself', async () => {
    const { take } = setUp(1);
    for (const key of ['school_1 a', 'school_1 b', 'school_2 a']) expect((await take(0, 1, key)).taken).toBe(true);
    for (const key of ['school_1 a', 'school_1 b', 'school_2 a']) expect((await take(0, 1, key)).taken).toBe(false);
  });

  test('in any span of time the processes use at most the quota, what refills, and one batch each', async () => {
    const asks = fc.array(
      fc.record({ process: fc.nat(2), pause: fc.nat(9_000), count: fc.integer({ min: 1, max: 40 }) }),
      {
        minLength: 1,
        maxLength: 30,
      },
    );
    await fc.assert(
      fc.asyncProperty(asks, fc.integer({ min: 1, max: 90 }), async (all, quota) => {
        const { clock, take } = setUp(3);
        const used: number[] = [];
        for (const { process, pause, count } of all) {
          clock.advance(pause);
          for (let asked = 0; asked < count; asked += 1) if ((await take(process, quota)).taken) used.push(clock.now());
        }
        const bound = (span: number) => quota + (span * quota) / window + 3 * batchOf(quota) + 1e-3;
        for (let from = 0; from < used.length; from += 7)
          for (let to = from; to < used.length; to += 3)
            expect(to - from + 1).toBeLessThanOrEqual(bound(used[to]! - used[from]!));
      }),
      { numRuns: 30 },
    );
  });
});

describe('leases while the store is away', () => {
  const away = () => Promise.reject(new EphemeralUnavailable('away'));

  function recorded() {
    const lines: string[] = [];
    const write = (kind: string) => (_: object, text: string) => void lines.push(`${kind} ${text}`);
    return { lines, logger: { info: write('info'), error: write('error') } };
  }

  test('each process counts by itself, what it has used before included; nobody is let through uncounted', async () => {
    const { store, memory, take, untilRefused, clock } = setUp(2);
    for (let asked = 0; asked < 100; asked += 1) await take(0, 120);
    store.answer = away;
    expect(await untilRefused(0, 120)).toBe(20);
    expect(await untilRefused(1, 120)).toBe(120);
    store.answer = memory.takeMany;
    clock.advance(window);
    await take(0, 120);
    const together = 1 + (await untilRefused(0, 120)) + (await untilRefused(1, 120));
    expect(together).toBeGreaterThanOrEqual(120);
    expect(together).toBeLessThanOrEqual(120 + 2 * batchOf(120));
  });

  test('it is logged once, asked for once in a second, and nobody waits', async () => {
    const { lines, logger } = recorded();
    const { store, memory, take, tables, clock } = setUp(1, logger);
    await take(0, 600);
    store.answer = away;
    for (let asked = 0; asked < 60; asked += 1) await take(0, 600);
    const before = store.calls;
    for (let asked = 0; asked < 50; asked += 1) {
      const taken = tables[0]!.take(`school_1 ${asked}`, 600);
      expect(taken).toMatchObject({ taken: true, left: 599 });
    }
    expect(store.calls).toBe(before);
    clock.advance(1_000);
    for (let asked = 0; asked < 50; asked += 1) await take(0, 600);
    expect(store.calls).toBe(before + 1);
    expect(lines).toEqual(['error the shared count of requests cannot be kept: each process counts by itself']);
    store.answer = memory.takeMany;
    clock.advance(1_000);
    await take(0, 600);
    expect(lines.slice(1)).toEqual(['info requests are counted for all processes together again']);
    expect(tables[0]!.take('school_1 new', 600)).toBeInstanceOf(Promise);
  });

  test('a store that does not answer holds up the first request for a moment only', async () => {
    const { lines, logger } = recorded();
    const { store, take, tables } = setUp(1, logger, 20);
    store.answer = () => new Promise(() => undefined);
    expect(await take(0, 120)).toMatchObject({ taken: true, left: 119 });
    expect(tables[0]!.take('school_1 a', 120)).toMatchObject({ taken: true, left: 118 });
    expect(lines).toHaveLength(1);
  });
});

describe('a table of leases', () => {
  test('without room counts nobody new, and has room again after a window', async () => {
    const clock = new FakeClock();
    const table = new LeaseTable({ ephemeral: memoryEphemeral(clock), clock, logger: quiet }, window, 2);
    for (const key of ['a', 'b']) expect(await table.take(key, 1)).toMatchObject({ taken: true });
    expect(table.take('c', 1)).toBeUndefined();
    expect(await table.take('a', 1)).toMatchObject({ taken: false });
    clock.advance(window);
    expect(await table.take('c', 1)).toMatchObject({ taken: true });
  });
});
