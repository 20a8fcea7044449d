import { expect, test } from '@jest/globals';
import { largestAmount } from './currency.ts';

test.each([
  ['USD', 9_999_999_999],
  ['JPY', 99_999_999],
  ['KWD', 99_999_999_990],
  ['CLF', 999_999_999_900],
])('the largest price in %s is 99,999,999.99 or the next below: %i', (currency, amount) =>
  expect(largestAmount(currency)).toBe(amount),
);
