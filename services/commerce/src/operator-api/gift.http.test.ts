import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Sent } from '@lyceum/testkit-service';
import { cardDataIn, pan } from '../testing/known-card.ts';
import { type Selling, itemIds, memberToken, startSelling } from '../testing/selling.ts';

let shop: Selling;
beforeAll(async () => void (shop = await startSelling()));
afterAll(() => shop.close());

type ItemName = keyof typeof itemIds;

const itemOf = (name: ItemName) => ({
  item_type: itemIds[name].startsWith('course') ? 'course' : 'digital_product',
  item_id: itemIds[name],
});
const give = (names: readonly ItemName[], to: object, { headers = {}, at = shop }: Sent & { at?: Selling } = {}) =>
  at.call('POST', '/internal/orders', {
    headers,
    body: { school: 'school_1', reason: 'won it', items: names.map(itemOf), ...to },
  });
const member = (name: string) => ({ member_id: `account_${name}` });
const ordersOf = async (name: string) =>
  (await shop.call('GET', '/api/account/orders', { as: memberToken(name) })).body.data as { id: string }[];
const takeBack = (id: string, key: string, body: object = {}) =>
  shop.call('POST', `/internal/orders/${id}/refunds`, {
    headers: { 'idempotency-key': key },
    body: { school: 'school_1', reason: 'a mistake', ...body },
  });
const usd = (amount: number) => ({ amount, currency: 'USD' });

describe('what is given to a member', () => {
  test('is an order that costs nothing, paid at once, and the member’s once there is access', async () => {
    const made = await give(['lamps', 'files'], member('ada'));
    expect([made.status, made.headers.get('location')]).toEqual([201, `/api/orders/${made.body.id}`]);
    expect(made.body).toMatchObject({
      object: 'order',
      source: 'comp',
      reason: 'won it',
      status: 'paid',
      buyer: { member_id: 'account_ada', email: null },
      lines: [
        { unit_price: usd(4_900), discount: usd(4_900), tax: usd(0), total: usd(0) },
        { unit_price: usd(700), discount: usd(700), total: usd(0), item_type: 'digital_product' },
      ],
      subtotal: usd(5_600),
      discount_total: usd(5_600),
      total: usd(0),
      coupon_code: null,
      payments: [],
      view: 'staff',
    });
    await shop.settled();
    expect(await shop.order(made.body.id)).toEqual(made.body);
    const told = await shop.log.load('school_1', [made.body.id]);
    const types = told.commits.flatMap(({ events }) => events.map(({ type }) => type));
    expect(types).toEqual(expect.arrayContaining(['OrderPlaced', 'OrderPaid', 'OrderFulfillable', 'OrderNumbered']));
    await shop.grant(made.body);
    await shop.orderOnce(made.body.id, ({ fulfilled_at }) => fulfilled_at !== null);
    const again = await give(['lamps'], member('ada'));
    expect([again.status, again.body.error, again.body.details[0].path]).toEqual([
      409,
      'already_owned',
      'items.0.item_id',
    ]);
  });

  test('stands among the orders of the school and of the member, who is not told why, and is not invoiced', async () => {
    const { body } = await give(['looms'], member('bo'));
    await shop.settled();
    const [own] = await ordersOf('bo');
    expect(own).toMatchObject({ id: body.id, source: 'comp', status: 'paid', total: usd(0) });
    expect(own).not.toHaveProperty('reason');
    const all = await shop.call('GET', '/api/orders?member_id=account_bo');
    expect(all.body.data).toMatchObject([{ id: body.id, source: 'comp' }]);
    const invoices = await shop.call('GET', '/api/account/invoices', { as: memberToken('bo') });
    expect(invoices.body.data).toEqual([]);
  });

  test('is given once for an Idempotency-Key, whatever became of it since', async () => {
    const headers = { 'idempotency-key': 'the-same-gift' };
    const first = await give(['lamps'], member('cy'), { headers });
    await shop.grant(first.body);
    await shop.orderOnce(first.body.id, ({ fulfilled_at }) => fulfilled_at !== null);
    const again = await give(['lamps'], member('cy'), { headers });
    expect([again.status, again.body.id, again.body.number]).toEqual([201, first.body.id, first.body.number]);
    await shop.settled();
    expect(await ordersOf('cy')).toHaveLength(1);
    expect((await give(['looms'], member('cy'), { headers })).status).toBe(422);
  });

  test('may be what is not sold: what is free, closed, or has no price in the currency of the school', async () => {
    const { status, body } = await give(['closed', 'foreign', 'free'], member('di'));
    expect([status, body.subtotal, body.total]).toEqual([201, usd(500), usd(0)]);
  });

  test('takes the place of an order that waits for the payment of the same', async () => {
    const waiting = await shop.buy(['lamps'], { as: memberToken('ed') });
    expect((await give(['lamps'], member('ed'))).status).toBe(201);
    expect((await shop.order(waiting.body.id)).status).toBe('canceled');
  });
});

describe('what is given to an address', () => {
  test('invites whoever is no member, and is theirs', async () => {
    const { status, body } = await give(['lamps'], { email: 'fay@example.org' });
    expect([status, body.status, body.buyer]).toMatchObject([201, 'paid', { email: 'fay@example.org' }]);
    expect(body).not.toHaveProperty('order_secret');
    const found = await shop.orderOnce(body.id, ({ buyer }) => buyer.member_id !== null);
    expect(shop.invited.filter((email) => email === 'fay@example.org')).toHaveLength(1);
    await shop.grant(found);
    await shop.orderOnce(body.id, ({ fulfilled_at }) => fulfilled_at !== null);
  });
});

describe('a gift is refused', () => {
  test.each([
    ['to nobody of the school', member('nobody'), 404, 'not_found'],
    ['to a member of another school', member('school_2_gil'), 404, 'not_found'],
    ['to somebody who was erased', member('erased'), 409, 'erased'],
    ['to nobody', {}, 422, 'validation_failed'],
    ['to two', { ...member('ada'), email: 'ada@example.org' }, 422, 'validation_failed'],
    ['to what is no address', { email: 'ada' }, 422, 'validation_failed'],
    ['with no reason', { ...member('hal'), reason: '' }, 422, 'validation_failed'],
    ['with no items', { ...member('hal'), items: [] }, 422, 'validation_failed'],
    ['with an item twice', { ...member('hal'), items: [itemOf('lamps'), itemOf('lamps')] }, 422, 'validation_failed'],
    [
      'of a plan',
      { ...member('hal'), items: [{ item_type: 'membership_plan', item_id: 'plan_1' }] },
      422,
      'validation_failed',
    ],
    [
      'of what there is not',
      { ...member('hal'), items: [{ item_type: 'course', item_id: 'course_none' }] },
      422,
      'validation_failed',
    ],
    [
      'of what is of another kind',
      { ...member('hal'), items: [{ item_type: 'course', item_id: itemIds.files }] },
      422,
      'validation_failed',
    ],
    ['of what is not public any more', { ...member('hal'), items: [itemOf('gone')] }, 422, 'validation_failed'],
    ['with more than is known', { ...member('hal'), coupon_code: 'ALL' }, 422, 'validation_failed'],
    ['at a school that there is not', { ...member('hal'), school: 'school_none' }, 503, 'temporarily_unavailable'],
  ])('%s', async (_, to, status, error) => {
    const got = await give(['lamps'], to);
    expect([got.status, got.body.error]).toEqual([status, error]);
  });

  test('of what is archived', async () => {
    const own = await startSelling();
    await own.publish('catalog', { type: 'CourseArchived', data: { course_id: itemIds.lamps } });
    const got = await give(['lamps'], member('ivy'), { at: own });
    expect([got.status, got.body.details[0].code]).toEqual([422, 'unknown_item']);
    await own.close();
  });

  test('to somebody whose erasure the school service has not told yet', async () => {
    await shop.vault.destroy('school_1', 'account_late');
    expect((await give(['lamps'], member('late'))).body.error).toBe('erased');
  });

  test('with the number of a card', async () => {
    for (const to of [{ reason: `card ${pan}` }, { email: `${pan}@example.org` }]) {
      const got = await give(['lamps'], 'email' in to ? to : { ...member('jo'), ...to });
      expect([got.status, cardDataIn(JSON.stringify(got.body))]).toEqual([422, []]);
    }
  });

  test('where there is no seat: gifts take them as sales do, and give them back', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `seat_${index}`);
    const all = await Promise.all(names.map((name) => give(['seats'], member(name))));
    const given = all.filter(({ status }) => status === 201);
    expect(given).toHaveLength(5);
    expect(all.flatMap(({ status, body }) => (status === 201 ? [] : [body.error]))).toEqual(Array(3).fill('sold_out'));
    expect((await shop.buy(['seats'])).body.error).toBe('sold_out');
    await takeBack(given[0]?.body.id, 'seat-back');
    expect((await give(['seats'], member('next'))).status).toBe(201);
    expect((await give(['seats'], member('last'))).body.error).toBe('sold_out');
  });
});

describe('what was given is taken back', () => {
  test('whole, with a refund of nothing, once', async () => {
    const { body } = await give(['lamps', 'files'], member('kim'));
    const back = await takeBack(body.id, 'whole-gift');
    expect(back.body).toMatchObject({
      status: 'refunded',
      refunds: [{ state: 'done', amount: usd(0), reason: 'a mistake' }],
      lines: [{ revoked: true }, { revoked: true }],
    });
    expect((await takeBack(body.id, 'whole-gift')).body.version).toBe(back.body.version);
    expect((await takeBack(body.id, 'whole-gift-again')).body.error).toBe('invalid_state');
  });

  test('line by line', async () => {
    const { body } = await give(['lamps', 'files'], member('lou'));
    const one = await takeBack(body.id, 'one-line', { line_ids: [body.lines[1].id] });
    expect(one.body).toMatchObject({
      status: 'partially_refunded',
      lines: [{ revoked: false }, { revoked: true }],
    });
    expect((await takeBack(body.id, 'the-other')).body).toMatchObject({ status: 'refunded' });
  });

  test('of a guest nobody knows yet: nobody gets it', async () => {
    const own = await startSelling({ school: () => ({ refused: 'not now' }) });
    const { body } = await give(['lamps'], { email: 'mia@example.org' }, { at: own });
    const back = await own.call('POST', `/internal/orders/${body.id}/refunds`, {
      headers: { 'idempotency-key': 'guest-gift' },
      body: { school: 'school_1', reason: 'a mistake' },
    });
    expect(back.body).toMatchObject({ status: 'refunded', lines: [{ revoked: true }], buyer: { member_id: null } });
    await own.close();
  });

  test('but not canceled: it is paid', async () => {
    const { body } = await give(['lamps'], member('ned'));
    const got = await shop.call('POST', `/internal/orders/${body.id}/cancel`, {
      body: { school: 'school_1', reason: 'a mistake' },
    });
    expect([got.status, got.body.error]).toEqual([409, 'invalid_state']);
  });
});
