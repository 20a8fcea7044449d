import { describe, expect, test } from '@jest/globals';
import { OtherHistory } from '@lyceum/kernel';
import { setTimeout as pause } from 'node:timers/promises';
import { Gap, Unavailable } from '../errors.ts';
import { forwarding } from '../forwarding.ts';
import { memoryEventLog } from '../memory/memory.ts';
import type { Commit, EventLog } from '../port.ts';
import { sampleAppend } from '../testing.ts';
import { tenantsApart } from '../testing/sample.ts';
import { type WholeOptions, readWholeLog } from './whole-log.ts';

const lanes = 16;

/** A log with commits in each of its lanes, which counts how often these are read, and how each read goes. */
async function filled(commits: number) {
  const stored = memoryEventLog();
  const tenants = tenantsApart(stored, lanes);
  const grow = async (count: number) => {
    for (const tenant of tenants) for (let n = 0; n < count; n += 1) await stored.append(sampleAppend({ tenant }));
  };
  await grow(commits);
  const reads: number[] = [];
  const steps: { before?: (lane: number) => Promise<void> } = {};
  const log = forwarding(stored, {
    async readLane(...part) {
      reads.push(part[0]);
      await steps.before?.(part[0]);
      return stored.readLane(...part);
    },
  });
  return { log, reads, steps, grow };
}

/** Reads the whole log, and keeps what it was handed. */
function reader(log: EventLog, options: Partial<WholeOptions> = {}) {
  const seen = new Map<number, number[]>();
  const errors: unknown[] = [];
  const handle = async (commits: readonly Commit[], lane: number) =>
    void seen.set(lane, [...(seen.get(lane) ?? []), ...commits.map(({ position }) => position)]);
  const onError = (error: unknown) => errors.push(error);
  const reading = readWholeLog(log, { from: async () => 0, handle, onError, ...options });
  return { ...reading, seen, errors };
}

const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);
const everything = (commits: number) => Array.from({ length: lanes }, (_, lane) => [lane, upTo(commits)]);
const sorted = (seen: ReadonlyMap<number, number[]>) => [...seen].sort(([a], [b]) => a - b);
const eachOnce = upTo(lanes).map((lane) => lane - 1);

describe('those who read a whole log at the same time', () => {
  test('read each lane once, and each gets everything in order', async () => {
    const { log, reads } = await filled(20);
    const readers = [0, 1, 3].map((slowness) => {
      const slow = reader(log);
      return slowness === 0 ? slow : reader(log, { from: () => pause(slowness, 0) });
    });
    await Promise.all(readers.map(({ caughtUp }) => caughtUp()));
    expect(reads.sort((a, b) => a - b)).toEqual(eachOnce);
    expect(sorted(readers[0]!.seen)).toEqual(everything(20));
    expect(sorted(readers[2]!.seen)).toEqual(everything(20));
  });

  test('are joined by one who comes later: it shares what nobody has begun, and gets the rest afterwards', async () => {
    const { log, reads, steps } = await filled(3);
    const late: ReturnType<typeof reader>[] = [];
    steps.before = async () => {
      if (reads.length === 10) late.push(reader(log));
      await pause(1);
    };
    const first = reader(log);
    await first.caughtUp();
    expect(reads.slice(0, lanes).sort((a, b) => a - b)).toEqual(eachOnce);
    await late[0]!.caughtUp();
    expect(sorted(late[0]!.seen)).toEqual(everything(3));
    expect(reads.length).toBeGreaterThan(lanes);
    expect(reads.length).toBeLessThanOrEqual(lanes + 10);
  });

  test('lose one whose handler fails, and the others go on', async () => {
    const { log, reads } = await filled(3);
    const failure = new Error('no');
    let tries = 0;
    const failing = reader(log, { handle: async () => ((tries += 1), Promise.reject(failure)) });
    const other = reader(log);
    await expect(failing.caughtUp()).rejects.toBe(failure);
    await other.caughtUp();
    expect(sorted(other.seen)).toEqual(everything(3));
    expect(tries).toBeLessThanOrEqual(2);
    expect(reads).toHaveLength(lanes);
  });

  test('lose one who closes once what it was handed is handled, and nothing is read for nobody', async () => {
    const { log, reads } = await filled(3);
    const state = { handled: 0 };
    const closing: ReturnType<typeof reader> = reader(log, {
      async handle() {
        await pause(20);
        state.handled += 1;
      },
    });
    while (reads.length === 0) await pause(1);
    await pause(5);
    await closing.close();
    await expect(closing.caughtUp()).rejects.toThrow(Unavailable);
    const { handled } = state;
    expect(handled).toBeGreaterThan(0);
    await pause(40);
    expect(state.handled).toBe(handled);
    expect(reads.length).toBeLessThan(lanes / 2);
  });

  test('begin where the one is that is least far, from where each says', async () => {
    const { log } = await filled(4);
    const [one, other] = [2, 1].map((at) => reader(log, { from: async () => at }));
    await Promise.all([one!.caughtUp(), other!.caughtUp()]);
    expect(other!.seen.get(5)).toEqual([2, 3, 4]);
    expect(one!.seen.get(5)?.slice(-2)).toEqual([3, 4]);
  });
});

describe('reading a whole log', () => {
  test('ends where a lane ended when it was begun, and an empty log at once; every lane is asked for', async () => {
    const asked: number[] = [];
    const empty = reader(memoryEventLog(), { from: async (lane) => (asked.push(lane), 0) });
    await empty.caughtUp();
    expect([asked.sort((a, b) => a - b), empty.seen.size]).toEqual([eachOnce, 0]);
    const { log, grow } = await filled(2);
    const whole = reader(log);
    await whole.caughtUp();
    await whole.close();
    await grow(1);
    await pause(20);
    expect(sorted(whole.seen)).toEqual(everything(2));
  });

  test('goes on after failures of the log, of which it tells', async () => {
    const { log, steps } = await filled(3);
    let failures = 3;
    steps.before = async () => {
      if (failures-- > 0) throw new Unavailable('away');
    };
    const whole = reader(log);
    await whole.caughtUp();
    expect(sorted(whole.seen)).toEqual(everything(3));
    expect(whole.errors).toHaveLength(3);
  });

  test('fails with the gap that blocks a lane', async () => {
    const { log, steps } = await filled(3);
    steps.before = async (lane) => {
      if (lane === 4) throw new Gap(4, 1);
    };
    const blocked = [reader(log), reader(log)];
    for (const each of blocked) await expect(each.caughtUp()).rejects.toThrow(Gap);
    delete steps.before;
    const again = reader(log);
    await again.caughtUp();
    expect(sorted(again.seen)).toEqual(everything(3));
  });

  test('tells of another commit at the checkpoint', async () => {
    const { log } = await filled(3);
    const diverged: number[] = [];
    const given: ReturnType<typeof reader> = reader(log, {
      from: async (lane) => (lane === 2 ? { position: 2, commitId: 'another' } : 0),
      diverged: (lane) => void (diverged.push(lane), void given.close()),
    });
    await expect(given.caughtUp()).rejects.toThrow(Unavailable);
    expect([diverged, given.errors.some((error) => error instanceof OtherHistory)]).toEqual([[2], true]);
  });
});
