import { expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMoments, nextMoment } from './moments.ts';

test('all who name the same period are called in one turn of the event loop, whenever they came', async () => {
  const turns: number[][] = [[], [], []];
  let turn = 0;
  const counting = setInterval(() => (turn += 1), 1);
  const ends: (() => void)[] = [];
  for (const own of turns) {
    ends.push(atMoments(60, () => void own.push(turn)));
    await sleep(7);
  }
  await sleep(250);
  ends.forEach((end) => end());
  clearInterval(counting);
  const [first, ...others] = turns.map((own) => own.slice(-2));
  expect(first).toHaveLength(2);
  for (const other of others) expect(other).toEqual(first);
});

test('nobody is called twice at a moment, though timers come a moment early', async () => {
  const times: number[] = [];
  const end = atMoments(20, () => times.push(performance.now()));
  await sleep(500);
  end();
  const pauses = times.slice(1).map((time, index) => time - times[index]!);
  expect(times.length).toBeGreaterThan(2);
  expect(Math.min(...pauses)).toBeGreaterThan(2);
});

test('who ends it is called no more, also in the moment in which another one ends it', async () => {
  let calls = 0;
  const ends = [atMoments(15, () => ends.forEach((end) => end())), atMoments(15, () => (calls += 1))];
  await sleep(60);
  expect(calls).toBe(0);
});

test('a wait ends at the next moment, or at once when it is aborted', async () => {
  const closing = new AbortController();
  await nextMoment(10, closing.signal);
  let isOver = false;
  const waiting = nextMoment(60_000, closing.signal).then(() => (isOver = true));
  await sleep(20);
  expect(isOver).toBe(false);
  closing.abort();
  await waiting;
  await nextMoment(60_000, closing.signal);
});
