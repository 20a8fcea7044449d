import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { batchOf, newLease, receive, unitsToAsk, useLease, useOwn } from './lease.ts';

const quota = { units: 120, window: 60_000 };
const told = (taken: number, left: number, wait = 500) => ({ taken, left, wait });

describe('a lease', () => {
  test.each([
    [1, 1],
    [19, 1],
    [20, 1],
    [120, 6],
    [600, 30],
    [12_000, 600],
  ])('of a quota of %p is of %p at a time', (units, batch) => expect(batchOf(units)).toBe(batch));

  test('of which nothing is known has to be asked for: a batch, or as much as those who wait need', () => {
    expect(useLease(newLease(0), 0, quota)).toBeUndefined();
    expect(unitsToAsk(newLease(0), 0, quota, 1)).toBe(6);
    expect(unitsToAsk(newLease(0), 0, quota, 50)).toBe(50);
    expect(unitsToAsk(newLease(0), 0, quota, 5_000)).toBe(120);
  });

  test('is renewed to a batch when less than half of one is held, unless there is known to be nothing', () => {
    const lease = newLease(0);
    receive(lease, 0, quota, told(6, 100));
    const asked = Array.from({ length: 6 }, () => {
      useLease(lease, 0, quota);
      return unitsToAsk(lease, 0, quota, 0);
    });
    expect(asked).toEqual([0, 0, 0, 4, 5, 6]);
    receive(lease, 0, quota, told(2, 0));
    expect(unitsToAsk(lease, 0, quota, 0)).toBe(0);
    expect(unitsToAsk(lease, 500, quota, 0)).toBe(4);
  });

  test('says what is left: what is held and what the others were seen to leave, or what the process may still use', () => {
    const lease = newLease(0);
    receive(lease, 0, quota, told(6, 30, 200));
    expect(useLease(lease, 0, quota)).toEqual({ taken: true, left: 35, wait: 200 });
    expect(useLease(lease, 200, quota)).toEqual({ taken: true, left: 35, wait: 500 });
    receive(lease, 200, quota, told(0, 119));
    expect(useLease(lease, 200, quota)).toMatchObject({ taken: true, left: 117 });
  });

  test('that is empty refuses until the shared quota, and the process itself, may have one more', () => {
    const lease = newLease(0);
    receive(lease, 0, quota, told(0, 0, 400));
    expect(useLease(lease, 0, quota)).toEqual({ taken: false, left: 0, wait: 400 });
    expect(useLease(lease, 399, quota)).toEqual({ taken: false, left: 0, wait: 1 });
    expect(useLease(lease, 400, quota)).toBeUndefined();
    for (let used = 0; used < 120; used += 1) useOwn(lease, 400, quota);
    expect(useLease(lease, 400, quota)).toEqual({ taken: false, left: 0, wait: 500 });
  });

  test('is never used beyond what was received, nor beyond the quota of the process', () => {
    const step = fc.oneof(
      fc.record({ pause: fc.nat(5_000) }),
      fc.record({ taken: fc.nat(20), left: fc.nat(119), wait: fc.integer({ min: 1, max: 500 }) }),
      fc.constant('use' as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const lease = newLease(0);
        let [now, received, used] = [0, 0, 0];
        for (const each of steps) {
          if (each === 'use') used += useLease(lease, now, quota)?.taken ? 1 : 0;
          else if ('pause' in each) now += each.pause;
          else {
            receive(lease, now, quota, each);
            received += each.taken;
          }
          expect(lease.held).toBe(received - used);
          expect(lease.held).toBeGreaterThanOrEqual(0);
          expect(used).toBeLessThanOrEqual(quota.units + (now * quota.units) / quota.window + 1e-3);
        }
      }),
    );
  });
});
