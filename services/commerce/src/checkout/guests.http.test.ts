import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Selling, itemIds, memberToken, startSelling } from '../testing/selling.ts';

const [minute, day] = [60_000, 24 * 60 * 60_000];
const settings = { PAYMENT_PROVIDERS: ['test' as const, 'manual' as const] };

let shop: Selling;
afterEach(() => shop.close());

let keys = 0;
type Item = keyof typeof itemIds;

/** Buys one thing as a guest at an address. */
const buy = (email: string, more: { item?: Item; address?: string; body?: object } = {}) =>
  shop.call('POST', '/api/checkout', {
    as: 'anonymous',
    headers: { 'x-client-address': more.address ?? '192.0.2.1', 'idempotency-key': `guest-${(keys += 1)}` },
    body: { email, items: [{ item_type: 'course', item_id: itemIds[more.item ?? 'lamps'] }], ...more.body },
  });

const payAgain = (
  { id, order_secret }: { id: string; order_secret: string },
  provider: string,
  address = '192.0.2.1',
) =>
  shop.call('POST', `/api/checkout/${id}/payments`, {
    as: 'anonymous',
    headers: { 'order-secret': order_secret, 'x-client-address': address },
    body: { provider },
  });

const capture = (id: string) =>
  shop.call('POST', `/internal/payments/manual/${id}/capture`, { body: { school: 'school_1' } });

describe('what is limited', () => {
  beforeEach(async () => void (shop = await startSelling({ settings: { RATE_LIMIT_FACTOR: 1_000, ...settings } })));

  test('is held for guests who pay by transfer for 40 minutes, and for members for days', async () => {
    const held = await shop.buy(['seats'], { body: { provider: 'manual' } });
    for (let index = 0; index < 4; index += 1) {
      const made = await buy(`made-up-${index}@example.org`, { item: 'seats', body: { provider: 'manual' } });
      expect(Date.parse(made.body.order.expires_at) - Date.parse(made.body.order.placed_at)).toBe(7 * day);
    }
    expect((await shop.buy(['seats'], { as: memberToken('early') })).body.error).toBe('sold_out');
    shop.clock.advance(41 * minute);
    for (let index = 0; index < 4; index += 1)
      expect((await shop.buy(['seats'], { as: memberToken(`later_${index}`) })).status).toBe(201);
    expect((await shop.buy(['seats'], { as: memberToken('fifth') })).body.error).toBe('sold_out');
    expect((await capture(held.body.id)).body.status).toBe('paid');
  });

  test('is held no longer by another payment', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, (_, at) => buy(`g${at}@example.org`, { item: 'seats' })));
    for (const { body } of all) {
      const switched = await payAgain(body, 'manual');
      expect(Date.parse(switched.body.order.expires_at) - Date.parse(body.order.placed_at)).toBe(7 * day);
    }
    shop.clock.advance(41 * minute);
    expect((await shop.buy(['seats'], { as: memberToken('later') })).status).toBe(201);
  });

  test('is taken by money that comes later while there is some, else the money goes back, with words', async () => {
    const transfers = await Promise.all(
      Array.from({ length: 2 }, (_, at) => buy(`t${at}@example.org`, { item: 'seats', body: { provider: 'manual' } })),
    );
    shop.clock.advance(2 * day);
    for (let index = 0; index < 4; index += 1) {
      const { body } = await shop.buy(['seats'], { as: memberToken(`quick_${index}`), body: { provider: 'test' } });
      await shop.drive(body.id, 'succeed');
    }
    const [first, second] = transfers;
    expect((await capture(first!.body.id)).body).toMatchObject({ status: 'paid', refunds: [] });
    expect((await capture(second!.body.id)).body).toMatchObject({
      status: 'pending',
      refunds: [{ state: 'returning', reason: 'All seats are taken or held' }],
    });
  });

  test('a coupon: its uses are held as long as seats', async () => {
    const made = { code: 'LASTONE', kind: 'percent', value: 10, max_redemptions: 1 };
    await shop.call('POST', '/api/coupons', { body: made });
    const coupon_code = 'LASTONE';
    expect((await buy('made-up@example.org', { body: { provider: 'manual', coupon_code } })).status).toBe(201);
    expect((await shop.buy(['lamps'], { body: { coupon_code } })).body.error).toBe('coupon_invalid');
    shop.clock.advance(41 * minute);
    expect((await shop.buy(['lamps'], { body: { coupon_code } })).status).toBe(201);
  });
});

describe('guests', () => {
  beforeEach(async () => void (shop = await startSelling({ settings: { RATE_LIMIT_FACTOR: 1, ...settings } })));

  test('at one address buy 10 times in a minute and 60 times in a day, other payments among them', async () => {
    const statuses: number[] = [];
    const orders: { id: string; order_secret: string }[] = [];
    for (let times = 0; times < 40; times += 1) {
      const { status, body } = await buy(`one-${times}@example.org`);
      statuses.push(status);
      orders.push(body);
      shop.clock.advance(6_000);
    }
    for (const order of orders.slice(-20)) {
      statuses.push((await payAgain(order, 'manual')).status);
      shop.clock.advance(6_000);
    }
    expect(statuses).toEqual(statuses.map(() => 201));
    const refused = await buy('one-more@example.org');
    expect([refused.status, refused.body.error]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
    expect((await payAgain(orders[0]!, 'manual')).status).toBe(429);
    expect((await buy('elsewhere@example.org', { address: '192.0.2.2' })).status).toBe(201);
    expect((await shop.buy(['lamps'])).status).toBe(201);
  });

  test('buy under one e-mail address 5 times in an hour and 20 times in a day, wherever they are', async () => {
    let at = 0;
    const spelt = ['Victim@example.org', 'victim@EXAMPLE.org'];
    const once = () => buy(spelt[at % 2] ?? '', { address: `198.51.100.${(at += 1)}` });
    const orders = [await once(), await once(), await once(), await once(), await once()];
    expect(orders.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    const refused = await once();
    expect([refused.status, refused.body.error]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
    expect((await payAgain(orders[0]!.body, 'manual', '198.51.100.200')).status).toBe(429);
    expect((await buy('another@example.org', { address: '198.51.100.1' })).status).toBe(201);
    // Evenly afterwards: not a mail more than 20 at once, and 20 in a day.
    let more = 0;
    for (let quarter = 0; quarter < 32; quarter += 1) {
      shop.clock.advance(15 * minute);
      if ((await once()).status === 201) more += 1;
    }
    expect(more).toBeGreaterThan(14);
    expect(more).toBeLessThan(24);
  });

  test('who sent the same request before get their order, whatever was counted since', async () => {
    const body = { email: 'same@example.org', items: [{ item_type: 'course', item_id: itemIds.lamps }] };
    const send = () =>
      shop.call('POST', '/api/checkout', { as: 'anonymous', headers: { 'idempotency-key': 'same' }, body });
    const first = await send();
    for (let times = 0; times < 6; times += 1) await buy('same@example.org');
    const again = await send();
    expect([again.status, again.body.id]).toEqual([201, first.body.id]);
  });
});
