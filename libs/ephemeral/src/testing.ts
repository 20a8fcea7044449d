import { afterEach, describe, expect, test } from '@jest/globals';
import { type Ephemeral, EphemeralUnavailable } from './port.ts';
import { testCounters, testQuotas } from './testing-counting.ts';
import { testSignals } from './testing-signals.ts';
import type { Open, OpenedEphemeral } from './testing-store.ts';

/** The conformance suite of `Ephemeral`: every adapter passes it. */
export function testEphemeral(name: string, open: () => OpenedEphemeral | Promise<OpenedEphemeral>): void {
  const all: Ephemeral[] = [];
  const opened: Open = async () => {
    const each = await open();
    all.push(each.ephemeral);
    return each;
  };
  afterEach(() => Promise.all(all.splice(0).map((ephemeral) => ephemeral.close())));

  describe(`ephemeral: ${name}`, () => {
    testValues(opened);
    testRedeem(opened);
    testCounters(opened);
    testQuotas(opened);
    testSignals(opened);
    testRefusals(opened);
  });
}

function testValues(open: Open): void {
  test('the first put wins until it expires', async () => {
    const { ephemeral, advance } = await open();
    expect(await ephemeral.putIfAbsent('school/a', 'one', 10_000)).toBe(true);
    expect(await ephemeral.putIfAbsent('school/a', 'two', 90_000)).toBe(false);
    await advance(9_000);
    expect(await ephemeral.get('school/a')).toBe('one');
    await advance(2_000);
    expect(await ephemeral.get('school/a')).toBeUndefined();
    expect(await ephemeral.putIfAbsent('school/a', 'three', 10_000)).toBe(true);
    expect(await ephemeral.get('school/a')).toBe('three');
  });

  test('of 50 parallel puts exactly one wins', async () => {
    const { ephemeral } = await open();
    for (let round = 0; round < 20; round += 1) {
      const puts = Array.from({ length: 50 }, (_, caller) => ephemeral.putIfAbsent(`k${round}`, `${caller}`, 100_000));
      const winners = (await Promise.all(puts)).flatMap((won, caller) => (won ? [`${caller}`] : []));
      expect(winners).toEqual([await ephemeral.get(`k${round}`)]);
    }
  });

  test('values are kept exactly, also empty ones and any Unicode', async () => {
    const { ephemeral } = await open();
    for (const value of ['', '😀 中文 \n "', '{"a":1}', '0', 'x'.repeat(100_000)]) {
      expect(await ephemeral.putIfAbsent(`key ${value.slice(0, 9)}`, value, 100_000)).toBe(true);
      expect(await ephemeral.get(`key ${value.slice(0, 9)}`)).toBe(value);
    }
  });

  test('the same key of two tenants is two keys', async () => {
    const { ephemeral } = await open();
    await ephemeral.putIfAbsent('a/code', 'of a', 10_000);
    await ephemeral.putIfAbsent('b/code', 'of b', 10_000);
    await ephemeral.increment('a/count', 10_000);
    expect(await ephemeral.redeem('a/code', 'gone', 10_000)).toEqual({ state: 'live', value: 'of a' });
    expect(await ephemeral.get('b/code')).toBe('of b');
    expect((await ephemeral.increment('b/count', 10_000)).count).toBe(1);
  });

  test('a delete happens only for the value given', async () => {
    const { ephemeral, advance } = await open();
    await ephemeral.putIfAbsent('k', 'mine', 10_000);
    expect(await ephemeral.compareAndDelete('k', 'yours')).toBe(false);
    expect(await ephemeral.get('k')).toBe('mine');
    expect(await ephemeral.compareAndDelete('k', 'mine')).toBe(true);
    expect(await ephemeral.compareAndDelete('k', 'mine')).toBe(false);
    expect(await ephemeral.putIfAbsent('k', 'next', 10_000)).toBe(true);
    await advance(11_000);
    expect(await ephemeral.compareAndDelete('k', 'next')).toBe(false);
  });
}

function testRedeem(open: Open): void {
  test('exactly one of 50 parallel redeems sees the value, all others the tombstone', async () => {
    const { ephemeral } = await open();
    for (let round = 0; round < 20; round += 1) {
      await ephemeral.putIfAbsent(`code${round}`, 'grant', 100_000);
      const calls = Array.from({ length: 50 }, (_, caller) =>
        ephemeral.redeem(`code${round}`, `by ${caller}`, 100_000),
      );
      const results = await Promise.all(calls);
      const winner = results.findIndex(({ state }) => state === 'live');
      const others = results.filter((_, caller) => caller !== winner);
      expect(results[winner]).toEqual({ state: 'live', value: 'grant' });
      expect(others).toEqual(others.map(() => ({ state: 'redeemed', tombstone: `by ${winner}` })));
    }
  });

  test('a redeemed key cannot be read, put or deleted while its tombstone lives', async () => {
    const { ephemeral } = await open();
    await ephemeral.putIfAbsent('code', 'grant', 10_000);
    await ephemeral.redeem('code', 'used', 10_000);
    expect(await ephemeral.get('code')).toBeUndefined();
    expect(await ephemeral.putIfAbsent('code', 'again', 10_000)).toBe(false);
    expect(await ephemeral.compareAndDelete('code', 'used')).toBe(false);
    expect(await ephemeral.redeem('code', 'other', 10_000)).toEqual({ state: 'redeemed', tombstone: 'used' });
  });

  test('the tombstone has its own time, which later redeems do not extend', async () => {
    const { ephemeral, advance } = await open();
    await ephemeral.putIfAbsent('code', 'grant', 5_000);
    await ephemeral.redeem('code', 'used', 20_000);
    await advance(18_000);
    expect(await ephemeral.redeem('code', 'used', 20_000)).toEqual({ state: 'redeemed', tombstone: 'used' });
    await advance(3_000);
    expect(await ephemeral.redeem('code', 'used', 20_000)).toEqual({ state: 'absent' });
  });

  test('an unknown or expired key is absent, and redeeming it leaves nothing', async () => {
    const { ephemeral, advance } = await open();
    expect(await ephemeral.redeem('code', 'used', 10_000)).toEqual({ state: 'absent' });
    expect(await ephemeral.putIfAbsent('code', 'grant', 5_000)).toBe(true);
    await advance(6_000);
    expect(await ephemeral.redeem('code', 'used', 10_000)).toEqual({ state: 'absent' });
  });
}

function testRefusals(open: Open): void {
  test.each([0, -1, 1.5, Number.NaN, Infinity])('a time to live of %p is refused', async (ttl) => {
    const { ephemeral } = await open();
    await expect(ephemeral.putIfAbsent('k', 'v', ttl)).rejects.toThrow(RangeError);
    await expect(ephemeral.increment('k', ttl)).rejects.toThrow(RangeError);
    await ephemeral.putIfAbsent('code', 'v', 1_000);
    await expect(ephemeral.redeem('code', 'used', ttl)).rejects.toThrow(RangeError);
    expect(await ephemeral.get('code')).toBe('v');
    expect(await ephemeral.get('k')).toBeUndefined();
  });

  test('a key is a value, a counter or a quota, always the same', async () => {
    const { ephemeral } = await open();
    await ephemeral.putIfAbsent('value', '1', 1_000);
    await ephemeral.increment('counter', 1_000);
    await expect(ephemeral.increment('value', 1_000)).rejects.toThrow(TypeError);
    await expect(ephemeral.get('counter')).rejects.toThrow(TypeError);
    await ephemeral.take('quota', 5, 1_000);
    await expect(ephemeral.get('quota')).rejects.toThrow(TypeError);
    await expect(ephemeral.increment('quota', 1_000)).rejects.toThrow(TypeError);
    await expect(ephemeral.take('value', 5, 1_000)).rejects.toThrow(TypeError);
    await expect(ephemeral.take('counter', 5, 1_000)).rejects.toThrow(TypeError);
    expect(await ephemeral.get('value')).toBe('1');
  });

  test('a closed store says so', async () => {
    const { ephemeral } = await open();
    await ephemeral.close();
    await expect(ephemeral.get('k')).rejects.toThrow(EphemeralUnavailable);
    await expect(ephemeral.increment('k', 1_000)).rejects.toThrow(EphemeralUnavailable);
  });
}
