import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { minorDigits } from '@lyceum/contracts';
import { moneyOf, stripeAmount } from './stripe-amounts.ts';

describe('amounts at Stripe', () => {
  test.each([
    ['USD', 4_900, 4_900],
    ['JPY', 4_900, 4_900],
    ['KRW', 15_000, 15_000],
    ['KWD', 5_120, 5_120],
    // Without a minor unit, and yet with two digits.
    ['ISK', 500, 50_000],
    ['UGX', 500, 50_000],
  ])('of %s: %i is %i', (currency, amount, expected) => {
    expect(stripeAmount({ amount, currency })).toBe(expected);
    expect(moneyOf(expected, currency.toLowerCase())).toEqual({ amount, currency });
  });

  test('of three digits end in 0, and others are refused in words', () =>
    expect(() => stripeAmount({ amount: 5_124, currency: 'KWD' })).toThrow(
      /takes no amount of 5124 minor units of KWD/,
    ));

  test('that are no whole units here are never taken for what was asked for', () =>
    expect(moneyOf(50_050, 'isk')).toEqual({ amount: 500, currency: 'ISK' }));

  test('10,000 cases: what is asked for comes back as it was, in all currencies', () => {
    const currencies = Intl.supportedValuesOf('currency');
    fc.assert(
      fc.property(fc.constantFrom(...currencies), fc.nat({ max: 1_000_000_000 }), (currency, some) => {
        // Whole units in the strictest currency: those are taken in each.
        const amount = some * 10 ** minorDigits(currency);
        return moneyOf(stripeAmount({ amount, currency }), currency.toLowerCase()).amount === amount;
      }),
      { numRuns: 10_000 },
    );
  });
});
