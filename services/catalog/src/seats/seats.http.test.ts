import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Message } from '@lyceum/channel';
import { found } from '@lyceum/testkit';
import { type Catalog, startCatalog } from '../testing.ts';

let catalog: Catalog;
beforeAll(async () => void (catalog = await startCatalog()));
afterAll(() => catalog.close());

const member = { as: { role: 'member', scopes: ['courses:read'] } } as const;

/** The commerce service says so many seats are taken. */
const counted = (item_id: string, taken: number, limit: number | null = 3, type = 'SeatTaken', school = 'school_1') =>
  catalog.publish('commerce', {
    type,
    data: { item_type: 'course', item_id, request_id: `line_${taken}`, taken, limit },
    school,
  });

const read = (ref: string, sent: object = {}) => catalog.call('GET', `/api/courses/${ref}`, sent);

/** The course, once it is shown so. */
const once = (id: string, taken: number) =>
  found(async () => {
    const { body } = await read(id);
    return body.seats_taken === taken ? body : undefined;
  }, 'the count of the seats');

test('what is taken stands in the course and in lists, for everybody as few or none, in numbers for the staff', async () => {
  const { id, slug } = await catalog.create({ title: 'Seats', seat_limit: 3, lecturer_ids: ['lecturer_1'] });
  expect((await catalog.call('POST', `/api/courses/${id}/publish`)).status).toBe(200);
  expect((await read(slug, { as: 'anonymous' })).body.seats).toBe('available');
  const before = (await read(id)).headers.get('etag');
  for (const [taken, seats] of [
    [2, 'few'],
    [3, 'none'],
  ] as const) {
    await counted(id, taken);
    expect(await once(id, taken)).toMatchObject({ seats, seats_taken: taken, seat_limit: 3 });
    await catalog.settled();
    const { body: list } = await catalog.call('GET', '/api/courses', { as: 'anonymous' });
    const [shown] = list.data.filter((each: { id: string }) => each.id === id);
    expect([shown.seats, 'seats_taken' in shown, 'seat_limit' in shown]).toEqual([seats, false, false]);
    const own = (await read(id, member)).body;
    expect([own.seats, 'seats_taken' in own]).toEqual([seats, false]);
  }
  const fresh = await read(id, { headers: { 'if-none-match': before ?? '' } });
  expect([fresh.status, fresh.headers.get('etag')]).toEqual([200, before]);
  await counted(id, 1, 3, 'SeatReleased');
  expect((await once(id, 1)).seats).toBe('available');
});

test('a write of the staff is answered with what is taken, and is not refused for a sale meanwhile', async () => {
  const { id, version } = await catalog.create({ title: 'Changed', seat_limit: 3 });
  await counted(id, 2);
  await once(id, 2);
  const headers = { 'if-match': `"${version}"` };
  const { status, body } = await catalog.call('PATCH', `/api/courses/${id}`, { body: { seat_limit: 2 }, headers });
  expect([status, body.seats, body.seats_taken]).toEqual([200, 'none', 2]);
});

test('what is no course’s, or of no limit, counts nothing', async () => {
  const { id } = await catalog.create({ title: 'Untouched', seat_limit: 3 });
  const other = await catalog.create({ title: 'Counted', seat_limit: 3 });
  const data = { item_type: 'event', item_id: id, request_id: 'r', taken: 3, limit: 3 };
  await catalog.publish('commerce', { type: 'SeatTaken', data });
  await counted(id, 0, null);
  await counted(id, 3, 3, 'SeatTaken', 'school_2');
  await counted(other.id, 1);
  await once(other.id, 1);
  expect((await read(id)).body).toMatchObject({ seats: 'available', seats_taken: 0 });
});

test('others hear of it when it looks different, and not of each sale', async () => {
  const heard: Message[] = [];
  const subscribed = catalog.channel.subscribe({
    consumer: 'test',
    source: 'catalog',
    from: async () => 0,
    handle: async (message) => void heard.push(message),
  });
  const { id } = await catalog.create({ title: 'Told', seat_limit: 30 });
  for (const taken of [1, 2, 3, 28, 29]) await counted(id, taken, 30);
  await once(id, 29);
  await subscribed.caughtUp();
  const told = heard.flatMap(({ facts }) => facts.filter(({ type }) => type === 'CourseSeatsShown'));
  expect(told.flatMap(({ data }) => ((data as { course_id: string }).course_id === id ? [data] : []))).toEqual([
    { course_id: id, seats: 'available' },
    { course_id: id, seats: 'few' },
  ]);
  await subscribed.close();
});
