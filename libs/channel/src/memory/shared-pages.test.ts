import { expect, test } from '@jest/globals';
import type { Backfill, Message } from '../port.ts';
import { SharedPages } from './shared-pages.ts';

const limit = 3;
const message = (position: number): Message => ({
  source: 'owner',
  lane: 0,
  position,
  previous: position - 1,
  tenant: 'school',
  at: '2026-01-05T08:00:00.000Z',
  facts: [],
});

/** A lane of so many messages, and how often it was read. */
function owner(count: number) {
  const state = { count, reads: 0 };
  const backfill: Backfill = async (_lane, after, most) => {
    state.reads += 1;
    return Array.from({ length: Math.min(most, state.count - after) }, (_, index) => message(after + index + 1));
  };
  return { state, pages: new SharedPages(() => backfill) };
}
const positions = (page: readonly Message[]) => page.map(({ position }) => position);

test('a page is read once for all who ask for it at the same time, also while it is being read', async () => {
  const { state, pages } = owner(10);
  const [one, other] = await Promise.all([pages.backfill(0, 0, limit), pages.backfill(0, 0, limit)]);
  const later = await pages.backfill(0, 0, limit);
  expect([one, other, later].map(positions)).toEqual([
    [1, 2, 3],
    [1, 2, 3],
    [1, 2, 3],
  ]);
  expect(state.reads).toBe(1);
});

test('what is asked from another place, or after another commit, is another page', async () => {
  const { state, pages } = owner(10);
  expect(positions(await pages.backfill(0, 0, limit))).toEqual([1, 2, 3]);
  expect(positions(await pages.backfill(0, 3, limit))).toEqual([4, 5, 6]);
  expect(positions(await pages.backfill(0, 3, limit, 'another'))).toEqual([4, 5, 6]);
  expect(state.reads).toBe(3);
});

test('the end of a lane is read anew: it may have grown, also while another read of it was on its way', async () => {
  const { state, pages } = owner(1);
  const before = pages.backfill(0, 0, limit);
  state.count = 2;
  const meanwhile = pages.backfill(0, 0, limit);
  expect([positions(await before), positions(await meanwhile)]).toEqual([[1], [1, 2]]);
});

test('nothing of a history that was offered before is given to those who ask afterwards', async () => {
  const { state, pages } = owner(10);
  await pages.backfill(0, 0, limit);
  pages.forget();
  await pages.backfill(0, 0, limit);
  expect(state.reads).toBe(2);
});

test('a read that failed is tried again by the next who asks', async () => {
  let isAway = true;
  const pages = new SharedPages(() => async () => {
    if (isAway) throw new Error('away');
    return [message(1), message(2), message(3)];
  });
  const both = await Promise.allSettled([pages.backfill(0, 0, limit), pages.backfill(0, 0, limit)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isAway = false;
  expect(positions(await pages.backfill(0, 0, limit))).toEqual([1, 2, 3]);
});
