import { expect, test } from '@jest/globals';
import type { Ephemeral } from './port.ts';
import type { Open } from './testing-store.ts';

/** Counters, whose window the first increment begins. */
export function testCounters(open: Open): void {
  test('a counter counts from 1, and its window starts with the first increment and is not extended', async () => {
    const { ephemeral, advance } = await open();
    const first = await ephemeral.increment('tries', 10_000);
    expect(first.count).toBe(1);
    expect(first.ttl).toBeGreaterThan(9_000);
    await advance(7_000);
    const second = await ephemeral.increment('tries', 10_000);
    expect(second.count).toBe(2);
    expect(second.ttl).toBeGreaterThan(0);
    expect(second.ttl).toBeLessThanOrEqual(3_000);
    await advance(4_000);
    expect((await ephemeral.increment('tries', 10_000)).count).toBe(1);
  });

  test('a counter may be given back what was counted too much, which neither ends nor extends its window', async () => {
    const { ephemeral, advance } = await open();
    await ephemeral.increment('tries', 10_000, 3);
    await advance(5_000);
    const given = await ephemeral.increment('tries', 90_000, -4);
    expect(given.count).toBe(-1);
    expect(given.ttl).toBeLessThanOrEqual(5_000);
    expect((await ephemeral.increment('tries', 90_000)).count).toBe(0);
    await expect(ephemeral.get('tries')).rejects.toThrow(TypeError);
    await advance(6_000);
    const late = await ephemeral.increment('tries', 10_000, -1);
    expect(late.count).toBe(-1);
    expect(late.ttl).toBeGreaterThan(9_000);
    await expect(ephemeral.get('tries')).rejects.toThrow(TypeError);
    await expect(ephemeral.increment('tries', 10_000, 0.5)).rejects.toThrow(RangeError);
  });

  test('of 50 parallel increments each is counted', async () => {
    const { ephemeral } = await open();
    const calls = await Promise.all(Array.from({ length: 50 }, () => ephemeral.increment('tries', 100_000)));
    const counts = calls.map(({ count }) => count).sort((a, b) => a - b);
    expect(counts).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  });
}

/** Quotas, taken by the unit and refilled evenly. */
export function testQuotas(open: Open): void {
  const takeAll = async (ephemeral: Ephemeral, key: string, quota: number, window: number): Promise<void> => {
    for (let left = quota - 1; left >= 0; left -= 1)
      expect(await ephemeral.take(key, quota, window)).toMatchObject({ taken: true, left });
  };

  test('a quota is taken unit by unit and then refused, and says when there is one more', async () => {
    const { ephemeral } = await open();
    await takeAll(ephemeral, 'quota', 7, 700_000);
    const { taken, left, wait } = await ephemeral.take('quota', 7, 700_000);
    expect({ taken, left }).toEqual({ taken: false, left: 0 });
    expect(wait).toBeGreaterThan(90_000);
    expect(wait).toBeLessThanOrEqual(100_000);
  });

  test('a quota refills evenly, and what was refused delays nothing', async () => {
    const { ephemeral, advance } = await open();
    await takeAll(ephemeral, 'quota', 4, 400_000);
    for (let refused = 0; refused < 5; refused += 1)
      expect((await ephemeral.take('quota', 4, 400_000)).taken).toBe(false);
    await advance(95_000);
    expect((await ephemeral.take('quota', 4, 400_000)).taken).toBe(false);
    await advance(10_000);
    expect((await ephemeral.take('quota', 4, 400_000)).taken).toBe(true);
    expect((await ephemeral.take('quota', 4, 400_000)).taken).toBe(false);
    await advance(400_000);
    await takeAll(ephemeral, 'quota', 4, 400_000);
  });

  test('of 50 parallel takes exactly the quota is granted', async () => {
    const { ephemeral } = await open();
    for (const quota of [1, 7, 49]) {
      const calls = Array.from({ length: 50 }, () => ephemeral.take(`quota ${quota}`, quota, 10_000_000));
      const granted = (await Promise.all(calls)).filter(({ taken }) => taken);
      expect(granted.map(({ left }) => left).sort((a, b) => b - a)).toEqual(
        Array.from({ length: quota }, (_, index) => quota - 1 - index),
      );
    }
  });

  test('several units are taken at once, as many as there are, from the same quota as single ones', async () => {
    const { ephemeral, advance } = await open();
    expect(await ephemeral.takeMany('quota', 5, 7, 700_000)).toMatchObject({ taken: 5, left: 2 });
    expect(await ephemeral.take('quota', 7, 700_000)).toMatchObject({ taken: true, left: 1 });
    expect(await ephemeral.takeMany('quota', 5, 7, 700_000)).toMatchObject({ taken: 1, left: 0 });
    const { wait, ...none } = await ephemeral.takeMany('quota', 5, 7, 700_000);
    expect(none).toEqual({ taken: 0, left: 0 });
    expect(wait).toBeGreaterThan(90_000);
    expect(wait).toBeLessThanOrEqual(100_000);
    await advance(200_500);
    expect(await ephemeral.takeMany('quota', 5, 7, 700_000)).toMatchObject({ taken: 2, left: 0 });
    await advance(700_000);
    expect(await ephemeral.takeMany('quota', 50, 7, 700_000)).toMatchObject({ taken: 7, left: 0 });
  });

  test('of 50 parallel takes of several units together exactly the quota is granted', async () => {
    const { ephemeral } = await open();
    const calls = Array.from({ length: 50 }, () => ephemeral.takeMany('quota', 3, 49, 10_000_000));
    const granted = (await Promise.all(calls)).map(({ taken }) => taken).filter((taken) => taken > 0);
    expect(granted).toEqual([...Array.from({ length: 16 }, () => 3), 1]);
  });

  test('a quota of more units than its window has milliseconds is counted by the unit', async () => {
    const { ephemeral } = await open();
    const calls = await Promise.all(Array.from({ length: 50 }, () => ephemeral.take('quota', 100_000_000, 10_000_000)));
    expect(calls.every(({ taken }) => taken)).toBe(true);
    expect(Math.min(...calls.map(({ left }) => left))).toBeGreaterThanOrEqual(100_000_000 - 50);
  });

  test.each([
    [0, 1_000],
    [1.5, 1_000],
    [Number.NaN, 1_000],
    [1, 0],
    [1, 0.5],
    [1, Infinity],
  ])('a quota of %p in %p ms is refused', async (quota, window) => {
    const { ephemeral } = await open();
    await expect(ephemeral.take('quota', quota, window)).rejects.toThrow(RangeError);
    await expect(ephemeral.takeMany('quota', 1, quota, window)).rejects.toThrow(RangeError);
  });

  test.each([0, 1.5, -1, Infinity])('%p units are refused', async (most) => {
    const { ephemeral } = await open();
    await expect(ephemeral.takeMany('quota', most, 5, 1_000)).rejects.toThrow(RangeError);
  });
}
