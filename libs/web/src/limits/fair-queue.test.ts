import { describe, expect, test } from '@jest/globals';
import { FairQueue } from './fair-queue.ts';

/** How many places a school gets of so many, alone in the queue. */
function takenBy(queue: FairQueue<{ school: string }>, school: string): number {
  let taken = 0;
  for (; queue.mayStart(school); taken += 1) queue.started(school);
  return taken;
}

describe('a fair queue', () => {
  test.each([
    [1, 1],
    [2, 2],
    [4, 3],
    [8, 6],
    [32, 24],
  ])('of %d places gives one school %d', (places, share) => {
    expect(takenBy(new FairQueue({ places }), 'one')).toBe(share);
  });

  test('what a school took while it was alone takes nothing away from the share of the next one', () => {
    const queue = new FairQueue<{ school: string }>({ places: 8, placesAlone: 50 });
    for (let at = 0; at < 50; at += 1) queue.started('one');
    expect([queue.mayStart('one', true), queue.mayStart('one')]).toEqual([false, false]);
    expect(takenBy(queue, 'other')).toBe(2);
    for (let at = 0; at < 50; at += 1) queue.finished('one');
    for (let at = 0; at < 2; at += 1) queue.finished('other');
    expect(takenBy(queue, 'other')).toBe(6);
  });

  test('the next one is of the school that cost least since it joined', () => {
    const queue = new FairQueue<{ school: string }>({ places: 8 });
    for (const school of ['dear', 'dear', 'cheap', 'cheap']) queue.enqueue({ school });
    const order: string[] = [];
    for (let next = queue.next(); next; next = queue.next()) {
      order.push(next.school);
      queue.charge(next.school, next.school === 'dear' ? 10 : 1);
    }
    expect(order).toEqual(['dear', 'cheap', 'cheap', 'dear']);
  });

  test('what left the queue is not next, and leaving again does nothing', () => {
    const queue = new FairQueue<{ school: string }>({ places: 8 });
    const waiting = { school: 'one' };
    queue.enqueue(waiting);
    queue.remove(waiting);
    queue.remove(waiting);
    expect([queue.next(), queue.waiting, queue.hasWaiting]).toEqual([undefined, 0, false]);
  });
});
