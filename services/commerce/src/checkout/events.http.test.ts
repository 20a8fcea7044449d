import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fold } from '@lyceum/eventlog';
import type { Got } from '@lyceum/testkit-service';
import { capacityDecider, capacityStream, takenSeats } from '../capacity/capacity.ts';
import { type Memberships, startMemberships } from '../testing/memberships.ts';
import { itemIds, memberToken } from '../testing/selling.ts';

const eventIds = {
  evening: 'event_00000000-0000-7000-8000-000000000001',
  small: 'event_00000000-0000-7000-8000-000000000002',
  free: 'event_00000000-0000-7000-8000-000000000003',
  over: 'event_00000000-0000-7000-8000-000000000004',
  off: 'event_00000000-0000-7000-8000-000000000005',
  draft: 'event_00000000-0000-7000-8000-000000000006',
  refunded: 'event_00000000-0000-7000-8000-000000000007',
} as const;
type Name = keyof typeof eventIds;

const times = { starts_at: '2030-01-01T18:00:00.000Z', ends_at: '2030-01-01T20:00:00.000Z' };

const created = (name: Name, capacity: number | null = null) => ({
  type: 'EventCreated',
  data: { event_id: eventIds[name], capacity },
});
const shown = (name: Name, more: object = {}) => ({
  type: 'EventShown',
  data: {
    event_id: eventIds[name],
    slug: name,
    title: `The ${name}`,
    summary: null,
    times,
    timezone: 'UTC',
    mode: 'online',
    venue: null,
    price: { amount: 2_000, currency: 'USD' },
    closes_at: times.starts_at,
    ...more,
  },
});

const facts = [
  created('evening'),
  shown('evening'),
  created('small', 2),
  shown('small'),
  created('free'),
  shown('free', { price: null }),
  created('over'),
  shown('over', { closes_at: '2020-01-01T00:00:00.000Z' }),
  created('off'),
  shown('off'),
  { type: 'EventCanceled', data: { event_id: eventIds.off } },
  created('draft'),
  created('refunded', 5),
  shown('refunded'),
];

let shop: Memberships;
let keys = 0;
beforeAll(async () => {
  shop = await startMemberships();
  for (const fact of facts) await shop.publish('content', fact);
  await shop.settled();
});
afterAll(() => shop.close());

const items = (...names: readonly Name[]) => names.map((name) => ({ item_type: 'event', item_id: eventIds[name] }));

const quote = (names: readonly Name[], as: ReturnType<typeof memberToken> | 'anonymous' = memberToken()) =>
  shop.call('POST', '/api/checkout/quotes', { as, body: { items: items(...names) } });

const buy = (names: readonly Name[], name: string) =>
  shop.call('POST', '/api/checkout', {
    as: memberToken(name),
    headers: { 'idempotency-key': `event-${(keys += 1)}` },
    body: { items: items(...names) },
  });

/** The content service says that the buyer of an order has a place, or no more. */
const say = (type: string, order: Got['body'], name: Name, more: object = {}) =>
  shop.publish('content', {
    type,
    data: {
      registration_id: `registration_${order.id}`,
      event_id: eventIds[name],
      member_id: order.buyer.member_id,
      line_id: order.lines[0].id,
      ...more,
    },
  });

const seatsTaken = async (name: Name) =>
  takenSeats(
    (await fold(shop.log, capacityDecider, 'school_1', capacityStream({ item_type: 'event', item_id: eventIds[name] })))
      .state,
  );

describe('events that cost something', () => {
  test('are bought, and the order is fulfilled once the buyer has a place', async () => {
    const { status, body } = await buy(['small'], 'ada');
    expect([status, body.order.total]).toEqual([201, { amount: 2_000, currency: 'USD' }]);
    await shop.drive(body.id, 'succeed');
    const order = await shop.orderOnce(body.id, ({ status: now }) => now === 'paid');
    await say('RegistrationConfirmed', order, 'small');
    await shop.orderOnce(body.id, ({ fulfilled_at }) => fulfilled_at !== null);
    await shop.settled();
    expect((await quote(['small'], memberToken('ada'))).body.error).toBe('already_owned');
    expect(await seatsTaken('small')).toBe(1);
  });

  test('have no more seats than there are, whoever pays first', async () => {
    expect((await buy(['small'], 'ben')).status).toBe(201);
    expect((await buy(['small'], 'cleo')).body.error).toBe('sold_out');
  });

  test.each([
    ['free', 'not_for_sale'],
    ['over', 'closed'],
    ['off', 'unknown_item'],
    ['draft', 'unknown_item'],
  ] as const)('are not bought where they are %s', async (name, code) => {
    const got = await quote([name]);
    expect([got.status, got.body.details?.[0]?.code]).toEqual([422, code]);
  });

  test('are not named by another kind', async () => {
    const body = { items: [{ item_type: 'course', item_id: eventIds.evening }] };
    expect((await shop.call('POST', '/api/checkout/quotes', { body })).status).toBe(422);
    const other = { items: [{ item_type: 'event', item_id: itemIds.lamps }] };
    expect((await shop.call('POST', '/api/checkout/quotes', { body: other })).status).toBe(422);
  });

  test('cost those less who have a plan that says so, for as long as they have it', async () => {
    const grants = { courses: [itemIds.lamps], event_discount_percent: 15 };
    const plan = await shop.plan({ grants });
    await shop.plan({ grants: { ...grants, event_discount_percent: 50 } });
    const total = async (name: string) => (await quote(['evening'], memberToken(name))).body.total.amount;
    expect(await total('dora')).toBe(2_000);
    const { body } = await shop.subscribe(plan, { as: memberToken('dora') });
    await shop.drive(body.id, 'succeed', { agreement: 'card' });
    await shop.subscriptionOnce(body.order.subscription_id, ({ status }) => status === 'active');
    expect(await total('dora')).toBe(1_700);
    expect(await total('ben')).toBe(2_000);
    expect((await quote(['evening'], 'anonymous')).body.total.amount).toBe(2_000);
    await shop.call('POST', `/api/subscriptions/${body.order.subscription_id}/cancel`, { body: { at: 'now' } });
    await shop.subscriptionOnce(body.order.subscription_id, ({ status }) => status === 'canceled');
    expect(await total('dora')).toBe(2_000);
  });

  test('that are called off are paid back, each once, however often it is said', async () => {
    const orders: Got['body'][] = [];
    for (const name of ['eva', 'finn']) {
      const { body } = await buy(['refunded'], name);
      await shop.drive(body.id, 'succeed');
      const order = await shop.orderOnce(body.id, ({ status }) => status === 'paid');
      await say('RegistrationConfirmed', order, 'refunded');
      orders.push(await shop.orderOnce(body.id, ({ fulfilled_at }) => fulfilled_at !== null));
    }
    expect(await seatsTaken('refunded')).toBe(2);
    for (const order of orders)
      for (const reason of ['event', 'event', 'refund'])
        await say('RegistrationCanceled', order, 'refunded', { reason });
    for (const { id } of orders) {
      const order = await shop.orderOnce(id, ({ status }) => status === 'refunded');
      expect(order.refunds).toMatchObject([{ amount: { amount: 2_000, currency: 'USD' } }]);
    }
    expect(await seatsTaken('refunded')).toBe(0);
  });

  test('of which a place was given back otherwise keep what was paid', async () => {
    const { body } = await buy(['evening'], 'gil');
    await shop.drive(body.id, 'succeed');
    const order = await shop.orderOnce(body.id, ({ status }) => status === 'paid');
    for (const reason of ['staff', 'self', 'refund', 'erasure'])
      await say('RegistrationCanceled', order, 'evening', { reason });
    await say('RegistrationCanceled', order, 'evening', { reason: 'event', line_id: undefined });
    await shop.settled();
    expect((await shop.order(body.id)).status).toBe('paid');
  });
});
