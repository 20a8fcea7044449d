import { describe, expect, test } from '@jest/globals';
import { hasCardNumber } from './card-number.ts';

describe('the number of a card', () => {
  test.each([
    '4242424242424242',
    '4242 4242 4242 4242',
    'Ada 4242-4242-4242-4242 12/34 123',
    'No. 7 4242 4242 4242 4242',
    '４２４２ ４２４２ ４２４２ ４２４２',
    '4242.4242.4242.4242@example.org',
    '4242_4242_4242_4242',
    '5555555555554444',
    '2223003122003222',
    '378282246310005',
    '30569309025904',
    '6011111111111117',
    '3566002020360505',
    '6200000000000005',
    'x4242424242424242x',
    '4242-4242-4242-4242-1234',
    '0195a3c2-7d10-7abc-8def-0123456789ab 4242424242424242',
  ])('is found in %s', (text) => expect(hasCardNumber(text)).toBe(true));

  test.each([
    'Ada Byron',
    '4242 4242 4242 4243',
    '4242 4242 4242',
    '+49 170 1234567',
    '1234567890123456',
    'DE89 3704 0044 0532 0130 00',
    'order_0195a3c2-7d10-7abc-8def-0123456789ab',
    '2026-11-23T23:30:00.000Z',
    'II., 3. Stock, Tür 12',
    'a4242424-2424-4242-8bcd-ef0123456789@relay.example',
  ])('is not found in %s', (text) => expect(hasCardNumber(text)).toBe(false));
});
