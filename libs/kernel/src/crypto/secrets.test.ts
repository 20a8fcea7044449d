import { expect, test } from '@jest/globals';
import { isSecret, sameBytes } from './secrets.ts';

test('a secret is equal to itself only', () => {
  const is = isSecret('a');
  expect([is('a'), is('b'), is('aa'), is(''), isSecret('')('')]).toEqual([true, false, false, false, true]);
});

test('bytes are equal when all of them are', () => {
  const [one, other] = [Uint8Array.of(1, 2), Uint8Array.of(1, 3)];
  expect([sameBytes(one, Uint8Array.of(1, 2)), sameBytes(one, other), sameBytes(one, one.subarray(1))]).toEqual([
    true,
    false,
    false,
  ]);
});
