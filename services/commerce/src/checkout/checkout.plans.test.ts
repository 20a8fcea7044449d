import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Memberships, startMemberships } from '../testing/memberships.ts';
import { itemIds, memberToken } from '../testing/selling.ts';

let shop: Memberships;
beforeAll(async () => void (shop = await startMemberships()));
afterAll(() => shop.close());

const usd = (amount: number) => ({ amount, currency: 'USD' });
const subscriptionOf = (order: string) => order.replace('order_', 'subscription_');
const coupon = async (body: object) => {
  const made = await shop.call('POST', '/api/coupons', { body: { kind: 'percent', value: 50, ...body } });
  expect([made.status, made.body.error]).toEqual([201, undefined]);
};

describe('a quote of a plan', () => {
  test('says what is paid now, and what the next period costs', async () => {
    const plan = await shop.plan({ interval: 'year' });
    const { status, body } = await shop.quote(plan);
    expect([status, body]).toMatchObject([
      200,
      {
        lines: [{ item_type: 'membership_plan', item_id: plan, unit_price: usd(3_100), total: usd(3_100) }],
        total: usd(3_100),
        plan: {
          plan_id: plan,
          plan_version: 1,
          interval: 'year',
          interval_count: 1,
          trial_days: 0,
          renewal: usd(3_100),
        },
      },
    ]);
    expect(
      (
        await shop.call('POST', '/api/checkout/quotes', {
          as: 'anonymous',
          body: { items: [{ item_type: 'course', item_id: itemIds.lamps }] },
        })
      ).body.plan,
    ).toBeNull();
  });

  test('with a trial costs nothing now; for life nothing follows', async () => {
    const trial = await shop.quote(await shop.plan({ trial_days: 14 }));
    expect(trial.body).toMatchObject({
      total: usd(0),
      plan: { trial_days: 14, price: usd(3_100), renewal: usd(3_100) },
    });
    const life = await shop.plan({ kind: 'lifetime', interval: null, interval_count: null });
    expect((await shop.quote(life)).body).toMatchObject({
      total: usd(3_100),
      plan: { renewal: null, full_renewal: null, interval: null },
    });
  });

  test.each([
    ['once', 'PLANONCE', {}, usd(1_550), usd(3_100), usd(3_100)],
    ['repeating', 'PLANREPEAT', { duration_cycles: 2 }, usd(1_550), usd(1_550), usd(3_100)],
    ['forever', 'PLANEVER', {}, usd(1_550), usd(1_550), usd(1_550)],
  ])('with a coupon that counts %s', async (duration, code, more, now, later, full) => {
    await coupon({ code, duration, ...more });
    const plan = await shop.plan();
    expect((await shop.quote(plan, { coupon_code: code })).body).toMatchObject({
      total: now,
      plan: { renewal: later, full_renewal: full },
    });
    // In a trial nothing is paid, so that the coupon waits for the first payment.
    const trial = await shop.plan({ trial_days: 7 });
    const tried = await shop.quote(trial, { coupon_code: code });
    expect(tried.body).toMatchObject({ total: usd(0), plan: { renewal: usd(1_550), full_renewal: full } });
  });
});

describe('a plan', () => {
  test('is bought by a member, whose subscription begins with the payment', async () => {
    const plan = await shop.plan();
    const { status, body } = await shop.subscribe(plan);
    expect([status, body.order.subscription_id]).toEqual([201, subscriptionOf(body.id)]);
    const id = body.order.subscription_id;
    expect(await shop.subscriptionOnce(id, () => true)).toMatchObject({ status: 'incomplete', order_id: body.id });
    await shop.drive(body.id, 'succeed', { agreement: 'agreement_1' });
    const state = await shop.subscriptionOnce(id, (now) => now.status === 'active');
    expect(state).toMatchObject({
      member_id: 'account_member',
      provider: 'test',
      agreement: 'agreement_1',
      value: 3_100,
      terms: { plan_id: plan, plan_version: 1, kind: 'recurring', price: usd(3_100) },
    });
    await shop.orderOnce(body.id, ({ fulfilled_at }) => fulfilled_at !== null);
    const again = await shop.subscribe(plan);
    expect([again.status, again.body.error]).toEqual([409, 'already_subscribed']);
    expect((await shop.quote(plan)).body.error).toBe('already_subscribed');
  });

  test('is bought by a guest, whose it is once the member is known', async () => {
    const plan = await shop.plan();
    const body = { email: 'plan@example.org', name: 'Ada' };
    const bought = await shop.subscribe(plan, { as: 'anonymous', body });
    await shop.drive(bought.body.id, 'succeed', { agreement: 'agreement_1' });
    const id = bought.body.order.subscription_id;
    const { member_id } = await shop.subscriptionOnce(id, ({ status }) => status === 'active');
    expect(member_id).toMatch(/^account_/);
    // Nobody knows the guest before it is paid: the money of a second one goes back.
    const second = await shop.subscribe(plan, { as: 'anonymous', body });
    await shop.drive(second.body.id, 'succeed');
    await shop.orderOnce(second.body.id, ({ status }) => status === 'refunded');
    await shop.subscriptionOnce(second.body.order.subscription_id, ({ status }) => status === 'expired');
  });

  test('is bought by itself, while it is sold', async () => {
    const plan = await shop.plan();
    const with_ = {
      items: [
        { item_type: 'course', item_id: itemIds.lamps },
        { item_type: 'membership_plan', item_id: plan },
      ],
    };
    const { body } = await shop.subscribe(plan, { body: with_ });
    expect(body).toMatchObject({
      error: 'validation_failed',
      details: [{ path: 'items.1.item_id', code: 'not_alone' }],
    });
    await shop.call('POST', `/api/membership_plans/${plan}/retire`);
    for (const item of [plan, 'plan_00000000-0000-7000-8000-000000000000', itemIds.lamps])
      expect((await shop.subscribe(item)).body).toMatchObject({ details: [{ code: 'unknown_item' }] });
  });

  test('has no more subscribers than it may, also while they pay', async () => {
    const plan = await shop.plan({ max_subscribers: 2 });
    const names = ['one', 'two', 'three', 'four', 'five'];
    const all = await Promise.all(names.map((name) => shop.subscribe(plan, { as: memberToken(name) })));
    expect(all.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409]);
    expect(all.filter(({ status }) => status === 409).map(({ body }) => body.error)).toEqual(Array(3).fill('sold_out'));
    const bought = all.find(({ status }) => status === 201)!.body;
    await shop.call('POST', `/internal/orders/${bought.id}/cancel`, {
      body: { school: 'school_1', reason: 'asked for' },
    });
    await shop.subscriptionOnce(bought.order.subscription_id, ({ status }) => status === 'expired');
    expect((await shop.subscribe(plan, { as: memberToken('six') })).status).toBe(201);
  });

  test('with a trial begins once the agreement is saved, and costs nothing', async () => {
    const plan = await shop.plan({ trial_days: 14 });
    const { body } = await shop.subscribe(plan, { as: memberToken('trying') });
    expect(body).toMatchObject({ order: { status: 'pending', total: usd(0) }, payment: { state: 'open' } });
    await shop.drive(body.id, 'succeed', { agreement: 'agreement_t' });
    const id = body.order.subscription_id;
    const state = await shop.subscriptionOnce(id, ({ status }) => status === 'trialing');
    expect(state).toMatchObject({ agreement: 'agreement_t', value: 0, trial_end: '2026-01-19T08:00:00.000Z' });
    // Taken back, it is over.
    await shop.call('POST', `/internal/orders/${body.id}/refunds`, {
      headers: { 'idempotency-key': 'trial-back' },
      body: { school: 'school_1', reason: 'asked for' },
    });
    await shop.subscriptionOnce(id, ({ status }) => status === 'canceled');
  });

  test('that costs nothing begins at once', async () => {
    const plan = await shop.plan({ price: { amount: 0 } });
    const { body } = await shop.subscribe(plan, { as: memberToken('free') });
    expect(body).toMatchObject({ order: { status: 'paid' }, payment: null });
    const state = await shop.subscriptionOnce(body.order.subscription_id, ({ status }) => status === 'active');
    expect(state).toMatchObject({ provider: null, agreement: null });
  });

  test('is refunded whole: it is over at once; in part: it goes on', async () => {
    const refund = (id: string, key: string, more: object = {}) =>
      shop.call('POST', `/internal/orders/${id}/refunds`, {
        headers: { 'idempotency-key': key },
        body: { school: 'school_1', reason: 'asked for', ...more },
      });
    const { body } = await shop.subscribe(await shop.plan(), { as: memberToken('refunded') });
    const id = body.order.subscription_id;
    await shop.drive(body.id, 'succeed', { agreement: 'agreement_1' });
    await shop.subscriptionOnce(id, ({ status }) => status === 'active');
    await refund(body.id, 'plan-part', { amount: 100 });
    await shop.orderOnce(body.id, ({ status }) => status === 'partially_refunded');
    await refund(body.id, 'plan-whole');
    const state = await shop.subscriptionOnce(id, ({ status }) => status !== 'active');
    expect(state.status).toBe('canceled');
    expect((await shop.subscribe(state.terms.plan_id, { as: memberToken('refunded') })).status).toBe(201);
  });
});
