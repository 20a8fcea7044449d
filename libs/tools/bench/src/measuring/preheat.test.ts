import { expect, test } from '@jest/globals';
import { preheat } from './preheat.ts';

/** Rounds in which an operation costs what is listed, then the last of it; each takes its milliseconds. */
function server(...costs: readonly number[]) {
  const clock = { now: 0, rounds: 0 };
  const round = async (milliseconds: number) => {
    clock.now += milliseconds;
    const cost = costs[Math.min(clock.rounds++, costs.length - 1)]!;
    return { operations: 10, server: { milliseconds, cpu: cost * 10, megabytes: 1 } };
  };
  return { round, now: () => clock.now };
}

test('a server is preheated until two rounds in a row are no cheaper than the best before', async () => {
  const { round, now } = server(836, 633, 640, 492, 454, 450, 452, 300);
  expect(await preheat(round, 60_000, now)).toEqual([836, 633, 640, 492, 454, 450, 452]);
});

test('one that gets cheaper for ever is preheated for as long as it may take', async () => {
  const { round, now } = server(...Array.from({ length: 100 }, (_, at) => 2 ** -at));
  expect(await preheat(round, 10_000, now)).toHaveLength(5);
});
