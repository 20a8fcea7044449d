import { describe, expect, test } from '@jest/globals';
import { hasCardNumber } from './card-number.ts';
import { taxId } from './tax-id.ts';

describe('a tax id', () => {
  test.each([
    '4242424242424242',
    'PT 4242 4242 4242 4242',
    '4242-4242-4242-4242',
    '30569309025904',
    'T4222222222222',
    '378282246310005',
  ])('is not the number of a card: %s', (text) => {
    const { success, error } = taxId.safeParse(text);
    expect([success, error?.issues[0]?.message]).toEqual([false, expect.stringContaining('the number of a card')]);
  });

  test.each(['PT123456789', 'DE 123 456 789', '12-3456789', '11.222.333/0001-81', 'T7000012050002', '27AAPFU0939F1ZV'])(
    'is taken: %s',
    (text) => expect(taxId.parse(text)).toBe(text),
  );

  test.each(['36.000.009/0001-40', '36000016000141'])(
    'of Brazil is taken by its check digits, though it could be that of a card: %s',
    (text) => {
      expect([hasCardNumber(text), taxId.safeParse(text).success]).toEqual([true, true]);
      const other = text.replace(/\d$/, (digit) => String((Number(digit) + 5) % 10));
      expect(taxId.safeParse(other).success).toBe(!hasCardNumber(other));
    },
  );
});
