import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Message } from '@lyceum/channel';
import { until } from '@lyceum/testkit';
import { capacityStream } from '../capacity/capacity.ts';
import { type Selling, itemIds, startSelling } from '../testing/selling.ts';

let shop: Selling;
const heard: Message[] = [];
let subscribed: { caughtUp(): Promise<void>; close(): Promise<void> };

beforeAll(async () => {
  shop = await startSelling();
  subscribed = shop.channel.subscribe({
    consumer: 'test',
    source: 'commerce',
    from: async () => 0,
    handle: async (message) => void heard.push(message),
  });
});
afterAll(async () => {
  await subscribed.close();
  await shop.close();
});

const course = (number: number) => `course_00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
let courses = 100;

/** The catalog service shows a course with so many seats. */
async function offered(seat_limit: number | null, school = 'school_1'): Promise<string> {
  const course_id = course((courses += 1));
  const shown = { course_id, slug: course_id, title: 'Seats', summary: null, access: 'free', listed: true };
  const data = { ...shown, prices: [], seat_limit, lecturer_ids: [], access_days: null };
  await shop.publish('catalog', { type: 'CourseShown', data, school });
  return course_id;
}

const ask = (item_id: string, request_id: string, school = 'school_1') =>
  shop.publish('learning', {
    type: 'SeatRequested',
    data: { item_type: 'course', item_id, request_id, member_id: 'account_1' },
    school,
  });
const giveBack = (item_id: string, request_id: string) =>
  shop.publish('learning', { type: 'SeatReturned', data: { item_type: 'course', item_id, request_id } });

/** What was published about the seats of an item. */
const facts = (item_id: string) =>
  heard.flatMap(({ facts: all }) =>
    all.flatMap(({ type, data }) => {
      const about = data as { item_id?: string; request_id?: string; taken?: number; limit?: number | null };
      return type.startsWith('Seat') && about.item_id === item_id
        ? [[type, about.request_id, about.taken, about.limit]]
        : [];
    }),
  );

async function once(item_id: string, count: number) {
  await until(
    () => facts(item_id).length >= count,
    () => `${count} facts beside ${facts(item_id).join(' | ')}`,
  );
  // What is one too many would come now.
  await new Promise((done) => setTimeout(done, 50));
  return facts(item_id);
}

describe('services that ask for a seat', () => {
  test('have one until there is none, and again when one is returned', async () => {
    const id = await offered(2);
    for (const request of ['a', 'b', 'c']) await ask(id, request);
    expect(await once(id, 4)).toEqual([
      ['SeatLimitSet', undefined, undefined, 2],
      ['SeatTaken', 'a', 1, 2],
      ['SeatTaken', 'b', 2, 2],
      ['SeatDenied', 'c', 2, 2],
    ]);
    await giveBack(id, 'a');
    await ask(id, 'd');
    expect((await once(id, 6)).slice(4)).toEqual([
      ['SeatReleased', 'a', 1, 2],
      ['SeatTaken', 'd', 2, 2],
    ]);
  });

  test('are answered once, however often they ask', async () => {
    const id = await offered(1);
    for (let times = 0; times < 3; times += 1) for (const request of ['a', 'b']) await ask(id, request);
    await giveBack(id, 'a');
    for (const request of ['a', 'b']) await ask(id, request);
    expect((await once(id, 4)).map(([type, request]) => [type, request])).toEqual([
      ['SeatLimitSet', undefined],
      ['SeatTaken', 'a'],
      ['SeatDenied', 'b'],
      ['SeatReleased', 'a'],
    ]);
  });

  test('have no seat of a request that was returned before it came', async () => {
    const id = await offered(1);
    await giveBack(id, 'a');
    await ask(id, 'a');
    await ask(id, 'b');
    expect((await once(id, 2)).map(([type, request]) => [type, request])).toEqual([
      ['SeatLimitSet', undefined],
      ['SeatTaken', 'b'],
    ]);
  });

  test('are told yes where there is no limit, and the seats of the item have no stream', async () => {
    const id = await offered(null);
    await ask(id, 'a');
    await giveBack(id, 'a');
    expect(await once(id, 1)).toEqual([['SeatTaken', 'a', 0, null]]);
    const stream = capacityStream({ item_type: 'course', item_id: id });
    expect((await shop.log.load('school_1', [stream])).commits).toEqual([]);
  });

  test('wait while nothing is known of the item, and are answered then', async () => {
    const id = course(courses + 1);
    await ask(id, 'a');
    await new Promise((done) => setTimeout(done, 100));
    expect(facts(id)).toEqual([]);
    await offered(1);
    expect((await once(id, 2)).at(-1)).toEqual(['SeatTaken', 'a', 1, 1]);
  });

  test('share the seats with orders', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        if (index % 2 === 0) return void (await ask(itemIds.seats, `mixed_${index}`));
        await shop.buy(['seats'], { as: 'anonymous', body: { email: `mixed-${index}@example.org` } });
      }),
    );
    expect(answers).toHaveLength(8);
    await once(itemIds.seats, 4);
    const stream = capacityStream({ item_type: 'course', item_id: itemIds.seats });
    const types = (await shop.log.load('school_1', [stream])).commits.flatMap(({ events }) =>
      events.filter((event) => event.stream === stream).map(({ type }) => type),
    );
    expect(types.filter((type) => type === 'SeatHeld' || type === 'SeatTaken')).toHaveLength(5);
  });

  test('of another school have the seats of their own', async () => {
    const id = await offered(1);
    courses -= 1;
    expect(await offered(1, 'school_2')).toBe(id);
    await ask(id, 'a');
    await ask(id, 'b', 'school_2');
    expect((await once(id, 4)).filter(([type]) => type === 'SeatTaken')).toHaveLength(2);
  });
});

test('who waits hears of another limit, also while nobody buys', async () => {
  const id = await offered(1);
  for (const request of ['a', 'b']) await ask(id, request);
  await once(id, 3);
  await shop.publish('catalog', { type: 'SeatLimitChanged', data: { course_id: id, seat_limit: 2 } });
  expect((await once(id, 4)).at(-1)).toEqual(['SeatLimitSet', undefined, undefined, 2]);
  await ask(id, 'b again');
  expect((await once(id, 5)).at(-1)).toEqual(['SeatTaken', 'b again', 2, 2]);
});
