import { expect, test } from '@jest/globals';
import { together } from './together.ts';

test('what is asked for in one turn is done at once, and each gets its own answer', async () => {
  const calls: (readonly number[])[] = [];
  const double = together(async (asked: readonly number[]) => {
    calls.push(asked);
    return asked.map((each) => each * 2);
  });
  expect(await Promise.all([double(1), double(2), double(3)])).toEqual([2, 4, 6]);
  expect(await double(4)).toBe(8);
  expect(calls).toEqual([[1, 2, 3], [4]]);
});

test('a failure is that of all who asked together, and of nobody later', async () => {
  let isBroken = true;
  const ask = together(async (asked: readonly string[]) => {
    if (isBroken) throw new Error('away');
    return asked;
  });
  const first = await Promise.allSettled([ask('a'), ask('b')]);
  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isBroken = false;
  expect(await ask('c')).toBe('c');
});
