import { describe, expect, test } from '@jest/globals';
import { largestAmount } from '@lyceum/contracts';
import fc from 'fast-check';
import { type WantedPrice, priceFaults } from './prices.ts';

const wanted = (amount: number, currency = 'USD'): WantedPrice => ({ id: 'price_1', amount, currency, fresh: true });

describe('a price', () => {
  test.each(['USD', 'JPY', 'KWD', 'CLF'])('in %s is at most what amounts can be', (currency) => {
    const most = largestAmount(currency);
    expect(priceFaults([], [wanted(most, currency)], currency)).toEqual([]);
    expect(priceFaults([], [wanted(most + 1, currency)], currency)).toMatchObject([
      { path: 'prices.0.amount', code: 'too_large' },
    ]);
  });

  test('that is larger, and was set before there was a limit, stays when it is sent again', () => {
    const old = { id: 'price_0', amount: Number.MAX_SAFE_INTEGER, currency: 'USD' };
    expect(priceFaults([old], [wanted(old.amount)], 'USD')).toEqual([]);
    expect(priceFaults([old], [{ ...old, fresh: false }], 'USD')).toEqual([]);
    expect(priceFaults([old], [{ ...old, fresh: false, amount: old.amount - 1 }], 'USD')).toMatchObject([
      { code: 'too_large' },
    ]);
  });

  test('that is accepted can be added up a thousand times', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.constantFrom('USD', 'JPY', 'KWD', 'CLF'), (amount, currency) => {
        const isAccepted = priceFaults([], [wanted(amount, currency)], currency).length === 0;
        return !isAccepted || Number.isSafeInteger(amount * 1_000);
      }),
      { numRuns: 10_000 },
    );
  });
});
