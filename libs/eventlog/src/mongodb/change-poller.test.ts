import { afterEach, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { ChangePoller } from './change-poller.ts';

const running: ChangePoller[] = [];
afterEach(() => Promise.all(running.splice(0).map((each) => each.stop())));

/** A poller of a log whose heads are `heads`, and what it did; `signal` is what other processes tell. */
function polling(heads: number[], isConnected: boolean) {
  const looks = heads.map(() => 0);
  const rung: number[] = [];
  let signal: (lane: number, position: number) => void = () => undefined;
  const poller = new ChangePoller({
    lanes: heads.length,
    look: async (lane) => {
      looks[lane]! += 1;
      return heads[lane]!;
    },
    ring: (lane) => rung.push(lane),
    signals: {
      tell: () => undefined,
      listen: (grown) => {
        signal = grown;
        return { isConnected, close: () => (signal = () => undefined) };
      },
    },
  });
  running.push(poller);
  poller.start();
  return { poller, looks, rung, signal: (lane: number, position: number) => signal(lane, position) };
}

test('where signals arrive, a lane is looked at once in a while, and when it is signalled', async () => {
  const heads = [3, 0];
  const { looks, rung, signal } = polling(heads, true);
  await pause(700);
  expect([looks, rung]).toEqual([[1, 1], [0]]);
  heads[1] = 1;
  signal(1, 1);
  await pause(0);
  expect([looks, rung]).toEqual([
    [1, 2],
    [0, 1],
  ]);
});

test('what is known already is not looked at, nor a lane that is none', async () => {
  const { poller, looks, rung, signal } = polling([0], true);
  await pause(0);
  poller.report(0, 7);
  for (const [lane, position] of [
    [0, 7],
    [0, 6],
    [1, 9],
    [-1, 9],
    [Number.NaN, 9],
  ] as const)
    signal(lane, position);
  await pause(0);
  expect([looks, rung]).toEqual([[1], []]);
});

test('a signal that was lost is made up for, and while none arrive a lane is looked at several times a second', async () => {
  const heads = [0];
  const { looks, rung } = polling(heads, false);
  await pause(700);
  expect(looks[0]).toBeGreaterThan(2);
  heads[0] = 1;
  await pause(300);
  expect(rung).toEqual([0]);
});

test('one that has ended hears no signal', async () => {
  const { poller, looks, signal } = polling([0], true);
  await pause(0);
  await poller.stop();
  signal(0, 1);
  await pause(0);
  expect(looks).toEqual([1]);
});
