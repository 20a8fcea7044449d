import { afterEach, expect, jest, test } from '@jest/globals';
import { untilNext } from './moments.ts';

afterEach(() => void jest.restoreAllMocks());

const at = (now: number, period: number): number => {
  jest.spyOn(performance, 'now').mockReturnValue(now);
  return untilNext(period);
};

test('all who wait for the same period wait for the same moments', () => {
  expect([at(1_000, 400), at(1_100.5, 400), at(1_150, 400)]).toEqual([200, 100, 50]);
});

test('a timer that was a moment early does not lead to the same moment again', () => {
  expect([at(4_999.2, 5_000), at(4_600, 5_000), at(5_000, 5_000)]).toEqual([5_001, 5_400, 5_000]);
});
