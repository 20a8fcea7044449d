import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { debtOf, takeUnit, takeUnits } from './quota.ts';

/** Takes at these pauses; the time of each, and what it brought. */
function run(pauses: readonly number[], quota: number, window: number) {
  let [now, until] = [0, 0];
  return pauses.map((pause) => {
    now += pause;
    const { debt, ...outcome } = takeUnit(Math.max(0, until - now), quota, window);
    until = now + debt;
    return { now, ...outcome };
  });
}

const cases = fc.record({
  pauses: fc.array(fc.nat(3_000), { minLength: 1, maxLength: 60 }),
  quota: fc.integer({ min: 1, max: 50 }),
  window: fc.integer({ min: 1, max: 60_000 }),
});

describe('a quota', () => {
  test('grants in any span of time at most its units and what refills in that span', () => {
    fc.assert(
      fc.property(cases, ({ pauses, quota, window }) => {
        const times = run(pauses, quota, window).flatMap(({ now, taken }) => (taken ? [now] : []));
        for (const [from, begin] of times.entries())
          for (const [to, end] of times.entries())
            if (to >= from) expect(to - from + 1).toBeLessThanOrEqual(quota + ((end - begin) * quota) / window + 1e-3);
      }),
    );
  });

  test('whatever its debt is told to be, by a clock that was set forth or back, owes between nothing and a window', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.integer({ min: 1, max: 10 ** 9 }), (told, quota) => {
        const { debt, left, wait } = takeUnit(told, quota, 60_000);
        expect(debt).toBeGreaterThanOrEqual(0);
        expect(debt).toBeLessThanOrEqual(60_000 + 1e-3);
        expect([left >= 0, left < quota, wait >= 1, wait <= 60_000]).toEqual([true, true, true, true]);
      }),
    );
  });

  test('keeps its word: after the wait there is one more, a millisecond before there is not', () => {
    fc.assert(
      fc.property(cases, ({ pauses, quota, window }) => {
        fc.pre(window > 2 * quota);
        const outcomes = run([...pauses, 0], quota, window);
        const { left, wait } = outcomes.at(-1)!;
        const after = (pause: number) => run([...pauses, 0, pause], quota, window).at(-1)!;
        const unitsAt = (pause: number) => {
          const { taken, left: rest } = after(pause);
          return rest + (taken ? 1 : 0);
        };
        expect(unitsAt(wait)).toBe(left + 1);
        expect(unitsAt(wait - 1)).toBe(left);
      }),
    );
  });

  test('several units at once are as many single ones, until there are none', () => {
    fc.assert(
      fc.property(
        fc.nat(60_000),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 50 }),
        (debt, most, quota) => {
          let one = takeUnits(debt, 0, quota, 60_000);
          let taken = 0;
          for (let asked = 0; asked < most; asked += 1) {
            one = takeUnits(one.debt, 1, quota, 60_000);
            taken += one.taken;
          }
          const many = takeUnits(debt, most, quota, 60_000);
          expect([many.taken, many.left]).toEqual([taken, one.left]);
          expect(many.debt).toBeCloseTo(one.debt, 5);
        },
      ),
    );
  });

  test('what is told of a quota says what is left and what is owed: never less, and at most a millisecond more', () => {
    fc.assert(
      fc.property(fc.nat(60_000), fc.integer({ min: 1, max: 50 }), (debt, quota) => {
        const told = takeUnits(debt, 0, quota, 60_000);
        const guessed = debtOf(told, quota, 60_000);
        expect(takeUnits(guessed, 0, quota, 60_000).left).toBe(told.left);
        expect(guessed).toBeGreaterThanOrEqual(debt - 1e-3);
        expect(guessed).toBeLessThanOrEqual(debt + 1 + 1e-3);
      }),
    );
  });
});
