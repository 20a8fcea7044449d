import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { memoryEphemeral } from './memory.ts';
import { EphemeralFull, EphemeralUnavailable } from './port.ts';
import { testEphemeral } from './testing.ts';

const start = () => {
  let now = 1_000_000;
  const advance = (milliseconds: number): void => void (now += milliseconds);
  return { clock: { now: () => now }, advance };
};

testEphemeral('memory', () => {
  const { clock, advance } = start();
  return { ephemeral: memoryEphemeral(clock), advance };
});

describe('memoryEphemeral', () => {
  test('keys that expired do not pile up, though nobody asks for them again', async () => {
    const { clock, advance } = start();
    const ephemeral = memoryEphemeral(clock);
    let most = 0;
    for (let count = 0; count < 20_000; count += 1) {
      advance(1);
      await ephemeral.putIfAbsent(`key ${count}`, 'v', 100 + (count % 50));
      most = Math.max(most, ephemeral.size);
    }
    expect(most).toBeLessThanOrEqual(151);
  });

  test('many keys that expire at once are removed a few per call, not all in one', async () => {
    const { clock, advance } = start();
    const ephemeral = memoryEphemeral(clock);
    for (let count = 0; count < 1_000; count += 1) await ephemeral.putIfAbsent(`key ${count}`, 'v', 10);
    advance(10);
    await ephemeral.get('other');
    expect(ephemeral.size).toBe(1_000 - 16);
    for (let calls = 0; calls < 70; calls += 1) await ephemeral.get('other');
    expect(ephemeral.size).toBe(0);
  });

  test('beyond the most entries a new key is refused clearly, known keys go on, and expiry makes room', async () => {
    const { clock, advance } = start();
    const ephemeral = memoryEphemeral(clock, { maxEntries: 2 });
    await ephemeral.putIfAbsent('a', 'v', 100);
    await ephemeral.increment('b', 1_000);
    const refused = ephemeral.putIfAbsent('c', 'v', 100);
    await expect(refused).rejects.toThrow(EphemeralFull);
    await expect(refused).rejects.toThrow(EphemeralUnavailable);
    await expect(refused).rejects.toThrow('maximum of 2 keys');
    expect((await ephemeral.increment('b', 1_000)).count).toBe(2);
    expect(await ephemeral.redeem('a', 'used', 100)).toEqual({ state: 'live', value: 'v' });
    advance(100);
    expect(await ephemeral.putIfAbsent('c', 'v', 100)).toBe(true);
  });

  test('a quota outlives a clock that stands between two milliseconds or is set back', async () => {
    let now = 1_000_000.3;
    const ephemeral = memoryEphemeral({ now: () => now });
    const take = async () => (await ephemeral.take('quota', 6_000_000, 60_000)).taken;
    expect(await take()).toBe(true);
    now += 0.6;
    expect(await take()).toBe(true);
    now -= 3_600_000;
    await take();
    now += 60_000;
    expect(await take()).toBe(true);
  });

  test('whatever the calls and pauses, it behaves as a plain map with expiry does', async () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const call = fc.oneof(
      fc.record({ kind: fc.constant('put'), key, ttl: fc.integer({ min: 1, max: 30 }) }),
      fc.record({ kind: fc.constant('redeem'), key, ttl: fc.integer({ min: 1, max: 30 }) }),
      fc.record({ kind: fc.constant('delete'), key, ttl: fc.constant(1) }),
      fc.record({ kind: fc.constant('get'), key, ttl: fc.constant(1) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(call, fc.nat(8)), { maxLength: 80 }), async (calls) => {
        const { clock, advance } = start();
        const ephemeral = memoryEphemeral(clock);
        const model = new Map<string, { value: string; dead: boolean; until: number }>();
        for (const [index, [{ kind, key: name, ttl }, pause]] of calls.entries()) {
          advance(pause);
          for (const [each, { until }] of model) if (until <= clock.now()) model.delete(each);
          const held = model.get(name);
          const live = held && !held.dead ? held.value : undefined;
          if (kind === 'put') {
            expect(await ephemeral.putIfAbsent(name, `${index}`, ttl)).toBe(!held);
            if (!held) model.set(name, { value: `${index}`, dead: false, until: clock.now() + ttl });
          } else if (kind === 'redeem') {
            const { state } = await ephemeral.redeem(name, 'used', ttl);
            expect(state).toBe(!held ? 'absent' : held.dead ? 'redeemed' : 'live');
            if (live !== undefined) model.set(name, { value: 'used', dead: true, until: clock.now() + ttl });
          } else if (kind === 'delete') {
            expect(await ephemeral.compareAndDelete(name, live ?? 'none')).toBe(live !== undefined);
            if (live !== undefined) model.delete(name);
          } else expect(await ephemeral.get(name)).toBe(live);
          expect(ephemeral.size).toBe(model.size);
        }
      }),
    );
  });
});
