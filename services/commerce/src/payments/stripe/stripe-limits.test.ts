import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { minorDigits } from '@lyceum/contracts';
import { stripeAmount } from './stripe-amounts.ts';
import { refusedByStripe } from './stripe-limits.ts';

describe('amounts that Stripe takes', () => {
  test.each([
    ['USD', 49, /as small as 0.49 USD/],
    ['USD', 50, undefined],
    ['USD', 99_999_999, undefined],
    ['USD', 100_000_000, /as large as 1000000.00 USD/],
    ['JPY', 49, /as small as 49 JPY/],
    ['JPY', 4_000_000_000, undefined],
    ['HUF', 17_400, /as small/],
    ['KWD', 5_124, /no amount of 5.124 KWD/],
    ['KWD', 5_120, undefined],
    ['IDR', 99_999_999_999, undefined],
    // Stripe says it when it is asked.
    ['ISK', 1, undefined],
    // Nothing is paid, but later payments are agreed to.
    ['USD', 0, undefined],
  ])('%s %i', (currency, amount, words) => {
    const reason = refusedByStripe({ amount, currency });
    if (words) expect(reason).toMatch(words);
    else expect(reason).toBeUndefined();
  });

  test('10,000 cases: what is not refused has an amount at Stripe', () => {
    const currencies = Intl.supportedValuesOf('currency').filter((currency) => minorDigits(currency) <= 3);
    fc.assert(
      fc.property(fc.constantFrom(...currencies), fc.nat(), (currency, amount) => {
        const money = { amount, currency };
        return refusedByStripe(money) !== undefined || Number.isSafeInteger(stripeAmount(money));
      }),
      { numRuns: 10_000 },
    );
  });
});
