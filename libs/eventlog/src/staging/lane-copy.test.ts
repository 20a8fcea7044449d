import { describe, expect, test } from '@jest/globals';
import { ConcurrencyConflict } from '../errors.ts';
import { memoryEventLog } from '../memory/memory.ts';
import type { EventLog } from '../port.ts';
import { noted, sampleAppend } from '../testing/sample.ts';
import { laneCopy } from './lane-copy.ts';

/** A log as one of another process is: what it reads is counted. */
function distant(log: EventLog) {
  const asked = { load: 0, find: 0, readLane: 0 };
  const { observeNow: _now, states: _states, snapshots: _snapshots, ...others } = log;
  const far: EventLog = {
    ...others,
    lanes: log.lanes,
    laneOf: (tenant) => log.laneOf(tenant),
    head: (lane) => log.head(lane),
    append: (append) => log.append(append),
    wake: (listener) => log.wake(listener),
    close: () => log.close(),
    load: (...what) => ((asked.load += 1), log.load(...what)),
    find: (...what) => ((asked.find += 1), log.find(...what)),
    readLane: (...what) => ((asked.readLane += 1), log.readLane(...what)),
  };
  return { far, asked };
}

const note = (stream: string, version: number, more: object = {}) =>
  sampleAppend({ expectations: [{ stream, version }], events: [noted(stream)], ...more });

describe('the copy of a lane', () => {
  test('reads what the log reads, of this tenant only, and asks the log for nothing of it', async () => {
    const log = memoryEventLog({ lanes: 1 });
    const [first, other, second] = [note('order-1', 0), note('order-1', 0, { tenant: 'other' }), note('order-1', 1)];
    for (const append of [first, other, second, note('order-2', 0)]) await log.append(append);
    const { far, asked } = distant(log);
    const copy = await laneCopy(far, first.tenant);
    for (const [streams, after] of [
      [['order-1'], 0],
      [['order-1'], 1],
      [['order-1', 'order-2', 'none'], 0],
      [['none'], 0],
    ] as const)
      expect(await copy.load(first.tenant, streams, after)).toEqual(await log.load(first.tenant, streams, after));
    expect(await copy.find(first.tenant, second.commitId)).toEqual(await log.find(first.tenant, second.commitId));
    expect(await copy.find(first.tenant, other.commitId)).toBeUndefined();
    expect(asked).toEqual({ load: 0, find: 0, readLane: 1 });
  });

  test('has what was written through it, and what others wrote after a lost race', async () => {
    const log = memoryEventLog({ lanes: 1 });
    const { far } = distant(log);
    const mine = note('order-1', 0);
    const copy = await laneCopy(far, mine.tenant);
    await copy.append(mine);
    expect((await copy.load(mine.tenant, ['order-1'])).heads).toEqual({ 'order-1': 1 });

    await log.append(note('order-2', 0));
    await expect(copy.append(note('order-2', 0))).rejects.toThrow(ConcurrencyConflict);
    expect((await copy.load(mine.tenant, ['order-2'])).heads).toEqual({ 'order-2': 1 });
  });

  test('is the log itself where that is in this process, or asked for another tenant', async () => {
    const log = memoryEventLog({ lanes: 1 });
    const { far, asked } = distant(log);
    const near: EventLog = { ...far, observeNow: () => ({ version: 0, lane: 0, position: 0 }) };
    expect(await laneCopy(near, 'tenant')).toBe(near);
    const copy = await laneCopy(far, 'tenant');
    await copy.load('another', ['order-1']);
    await copy.find('another', note('order-1', 0).commitId);
    expect([asked.load, asked.find]).toEqual([1, 1]);
  });
});
