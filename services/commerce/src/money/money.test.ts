import { describe, expect, test } from '@jest/globals';
import { largestAmount, minorDigits } from '@lyceum/contracts';
import fc from 'fast-check';
import { decimalOf } from './money.ts';
import { halfUp, percentOf, split } from '@lyceum/kernel';
import { taxOf, untaxed } from './tax.ts';
import { type Discount, type PricedLine, totalsOf } from './totals.ts';

const runs = { numRuns: 10_000 };
const sum = (amounts: readonly number[]): number => amounts.reduce((all, each) => all + each, 0);

/** As large as an amount can be: `split` and `percentOf` have no smaller bound. */
const amount = fc.oneof(fc.nat({ max: 100_000 }), fc.nat({ max: Number.MAX_SAFE_INTEGER }));

describe('amounts', () => {
  test.each([
    ['USD', 2, '49.00'],
    ['JPY', 0, '4900'],
    ['KWD', 3, '4.900'],
    // `Intl` of Node 20 says 0, 0 and 0.
    ['HUF', 2, '49.00'],
    ['COP', 2, '49.00'],
    ['IQD', 3, '4.900'],
  ])('of %s have %i digits behind the point: %s', (currency, digits, text) => {
    expect([minorDigits(currency), decimalOf({ amount: 4900, currency })]).toEqual([digits, text]);
  });

  test('below one unit, and below nothing, are written with their zeros', () => {
    expect(decimalOf({ amount: 7, currency: 'USD' })).toBe('0.07');
    expect(decimalOf({ amount: -7, currency: 'KWD' })).toBe('-0.007');
    expect(decimalOf({ amount: -7, currency: 'JPY' })).toBe('-7');
  });
});

describe('per cent', () => {
  test.each([
    [5, 10, 1],
    [4, 10, 0],
    [15, 10, 2],
    [14, 10, 1],
    [1, 50, 1],
    [999, 33, 330],
    [0, 100, 0],
    [4900, 100, 4900],
  ])('%i at %i %% is %i: halves go up', (of, percent, expected) => expect(percentOf(of, percent)).toBe(expected));

  test('is the nearest integer, never more than half a unit away, and up at a half', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 1, max: 100 }), (of, percent) => {
        const exact = BigInt(of) * BigInt(percent);
        const twice = 2n * (BigInt(percentOf(of, percent)) * 100n - exact);
        return twice > -100n && twice <= 100n;
      }),
      runs,
    );
  });

  test('of a fraction is exact beyond the integers that a float has', () => {
    expect(halfUp(9_007_199_254_740_993n * 3n, 6n)).toBe(4_503_599_627_370_497);
  });
});

describe('a split', () => {
  const weights = fc.array(fc.nat({ max: 1_000_000 }), { minLength: 1, maxLength: 20 });

  test('adds up to the amount, and no part is a unit or more from its share', () => {
    fc.assert(
      fc.property(amount, weights, (of, by) => {
        fc.pre(sum(by) > 0);
        const parts = split(of, by);
        const all = BigInt(sum(by));
        const isNear = (part: number, weight = 0): boolean => {
          const difference = BigInt(part) * all - BigInt(of) * BigInt(weight);
          return difference < all && difference > -all;
        };
        return (
          parts.reduce((total, part) => total + BigInt(part), 0n) === BigInt(of) &&
          parts.every((part, index) => isNear(part, by[index]))
        );
      }),
      runs,
    );
  });

  test('gives what is over to the largest remainders, the first of equal ones', () => {
    expect(split(100, [1, 1, 1])).toEqual([34, 33, 33]);
    expect(split(1, [1, 1])).toEqual([1, 0]);
    expect(split(5, [10, 20, 30])).toEqual([1, 2, 2]);
    expect(split(7, [0, 5, 0])).toEqual([0, 7, 0]);
  });

  test('of nothing needs no weight, of something it does', () => {
    expect(split(0, [0, 0])).toEqual([0, 0]);
    expect(split(0, [])).toEqual([]);
    expect(() => split(1, [0])).toThrow(RangeError);
  });
});

describe('tax', () => {
  test.each([
    ['in', 11_900, true, 1_900, 1_900],
    ['on', 10_000, false, 1_900, 1_900],
    ['in', 100, true, 1_000, 9],
    ['on', 105, false, 1_000, 11],
    ['in', 4_900, true, 0, 0],
  ])('%s %i (inclusive: %s) at %i basis points is %i', (_, of, inclusive, rate_bp, expected) =>
    expect(taxOf(of, { inclusive, rate_bp })).toBe(expected),
  );

  test('in an amount leaves a net price that it is the tax on, within a unit', () => {
    fc.assert(
      fc.property(fc.nat({ max: 10_000_000_000 }), fc.integer({ min: 0, max: 5_000 }), (of, rate_bp) => {
        const inside = taxOf(of, { inclusive: true, rate_bp });
        return inside <= of && Math.abs(taxOf(of - inside, { inclusive: false, rate_bp }) - inside) <= 1;
      }),
      runs,
    );
  });
});

describe('the totals of an order', () => {
  const line = fc.record({
    quantity: fc.integer({ min: 1, max: 100 }),
    unit_price: fc.oneof(fc.nat({ max: 100_000_000 }), fc.nat({ max: largestAmount('CLF') })),
  });
  const lines = fc.array(fc.tuple(line, fc.boolean()), { minLength: 1, maxLength: 20 });
  const discount = fc.oneof(
    fc.record({ kind: fc.constant('percent' as const), value: fc.integer({ min: 1, max: 100 }) }),
    fc.record({ kind: fc.constant('amount' as const), value: fc.integer({ min: 1, max: 1_000_000 }) }),
  );
  const tax = fc.record({ inclusive: fc.boolean(), rate_bp: fc.integer({ min: 0, max: 5_000 }) });

  test('are those of its lines, of which none is below nothing', () => {
    fc.assert(
      fc.property(lines, fc.option(discount), tax, (chosen, given, by) => {
        const applies = chosen.map(([, each]) => each);
        const priced = chosen.map(([each]) => each);
        const { lines: each, ...all } = totalsOf(priced, given && { ...given, applies }, by);
        const reduced = sum(each.map(({ subtotal }, index) => (applies[index] ? subtotal : 0)));
        const wanted = (of: Discount) =>
          of.kind === 'percent' ? percentOf(reduced, of.value) : Math.min(of.value, reduced);
        return (
          all.subtotal === sum(each.map(({ subtotal }) => subtotal)) &&
          all.discount_total === sum(each.map((one) => one.discount)) &&
          all.tax_total === sum(each.map((one) => one.tax)) &&
          all.total === sum(each.map(({ total }) => total)) &&
          all.total === all.subtotal - all.discount_total + (by.inclusive ? 0 : all.tax_total) &&
          all.discount_total === (given ? wanted(given) : 0) &&
          Object.values(all).every(Number.isSafeInteger) &&
          each.every((one) => Math.min(one.subtotal - one.discount, one.discount, one.tax, one.total) >= 0) &&
          each.every((one, index) => applies[index] || one.discount === 0)
        );
      }),
      runs,
    );
  });

  const three: readonly PricedLine[] = [333, 333, 334].map((unit_price) => ({ quantity: 1, unit_price }));

  test('take ten per cent off three lines exactly, whatever a unit is', () => {
    const { lines: each, ...all } = totalsOf(
      three,
      { kind: 'percent', value: 10, applies: [true, true, true] },
      untaxed,
    );
    expect(all).toEqual({ subtotal: 1_000, discount_total: 100, tax_total: 0, total: 900 });
    expect(each.map((one) => one.discount)).toEqual([33, 33, 34]);
  });

  test('an amount takes off no more than what it is for costs', () => {
    const { discount_total, total } = totalsOf(
      three,
      { kind: 'amount', value: 5_000, applies: [true, false, false] },
      untaxed,
    );
    expect([discount_total, total]).toEqual([333, 667]);
  });

  test('tax is in the price, or comes on top of it, after the discount', () => {
    const reduction = { kind: 'percent', value: 50, applies: [true] } as const;
    const one = [{ quantity: 2, unit_price: 11_900 }];
    expect(totalsOf(one, reduction, { inclusive: true, rate_bp: 1_900 })).toMatchObject({
      tax_total: 1_900,
      total: 11_900,
    });
    expect(totalsOf(one, reduction, { inclusive: false, rate_bp: 1_900 })).toMatchObject({
      tax_total: 2_261,
      total: 14_161,
    });
  });
});
