import { afterEach, describe, expect, test } from '@jest/globals';
import { type Memberships, startMemberships } from '../testing/memberships.ts';
import { memberToken } from '../testing/selling.ts';

let shop: Memberships;
afterEach(() => shop.close());

const start = async (...PAYMENT_PROVIDERS: ('test' | 'manual')[]) =>
  void (shop = await startMemberships({ settings: { PAYMENT_PROVIDERS, RATE_LIMIT_FACTOR: 1_000 } }));

let guests = 0;
const asGuest = (body: object = {}) =>
  ({ as: 'anonymous', body: { email: `guest${(guests += 1)}@example.org`, ...body } }) as const;
const forMembers = { error: 'validation_failed', details: [{ path: 'items.0.item_id', code: 'for_members' }] };

describe('a plan that costs nothing now and something later', () => {
  const free = async (code: string, more: object = {}) => {
    const { status } = await shop.call('POST', '/api/coupons', {
      body: { code, kind: 'percent', value: 100, ...more },
    });
    expect(status).toBe(201);
    return { coupon_code: code };
  };

  test('is begun by a guest with an agreement only: nobody gets round it by a provider that saves none', async () => {
    await start('manual', 'test');
    const plan = await shop.plan({ trial_days: 14 });
    expect((await shop.quote(plan, {}, 'anonymous')).status).toBe(200);
    for (const buying of [asGuest({ provider: 'manual' }), { as: memberToken(), body: { provider: 'manual' } }])
      expect((await shop.subscribe(plan, buying)).body).toMatchObject({
        error: 'validation_failed',
        details: [{ path: 'provider', code: 'saves_no_agreement' }],
      });
    // Without a word about it, it is the one that saves agreements.
    const { body } = await shop.subscribe(plan, asGuest());
    expect(body).toMatchObject({ order: { status: 'pending' }, payment: { provider: 'test', state: 'open' } });
    const other = await shop.call('POST', `/api/checkout/${body.id}/payments`, {
      as: 'anonymous',
      headers: { 'order-secret': body.order_secret },
      body: { provider: 'manual' },
    });
    expect(other.body).toMatchObject({ details: [{ path: 'provider', code: 'saves_no_agreement' }] });
  });

  test('is for members where nobody saves agreements, and the quote says so', async () => {
    await start('manual');
    const trial = await shop.plan({ trial_days: 14 });
    const monthly = await shop.plan();
    const once = await free('ONEPERIOD', { duration: 'once' });
    for (const [plan, more] of [
      [trial, {}],
      [monthly, once],
    ] as const) {
      expect((await shop.subscribe(plan, asGuest(more))).body).toMatchObject(forMembers);
      expect((await shop.quote(plan, more, 'anonymous')).body).toMatchObject(forMembers);
      const as = memberToken('patient');
      expect((await shop.quote(plan, more, as)).status).toBe(200);
      expect((await shop.subscribe(plan, { as, body: more })).body).toMatchObject({ payment: null });
    }
    expect((await shop.subscribe(monthly, asGuest())).status).toBe(201);
  });

  test('is for members where its coupon leaves nothing to agree to yet', async () => {
    await start('test');
    const plan = await shop.plan();
    const cycles = await free('THREEPERIODS', { duration: 'repeating', duration_cycles: 3 });
    expect((await shop.subscribe(plan, asGuest(cycles))).body).toMatchObject(forMembers);
    expect((await shop.quote(plan, cycles, 'anonymous')).body).toMatchObject(forMembers);
    // What never costs anything needs no agreement.
    const gift = await shop.plan({ price: { amount: 0 } });
    expect((await shop.subscribe(gift, asGuest())).body).toMatchObject({ order: { status: 'paid' }, payment: null });
  });
});

describe('a plan with so many subscribers', () => {
  test('keeps no place for days for a guest', async () => {
    await start('manual', 'test');
    const plan = await shop.plan({ max_subscribers: 1 });
    expect((await shop.subscribe(plan, asGuest({ provider: 'manual' }))).body).toMatchObject({
      error: 'validation_failed',
      details: [{ path: 'provider', code: 'for_members' }],
    });
    const { body } = await shop.subscribe(plan, asGuest());
    expect(body.payment.provider).toBe('test');
    const switched = await shop.call('POST', `/api/checkout/${body.id}/payments`, {
      as: 'anonymous',
      headers: { 'order-secret': body.order_secret },
      body: { provider: 'manual' },
    });
    expect(switched.body).toMatchObject({ details: [{ path: 'provider', code: 'for_members' }] });
    shop.clock.advance(41 * 60_000);
    await shop.subscriptionOnce(body.order.subscription_id, ({ status }) => status === 'expired');
    expect((await shop.subscribe(plan, { body: { provider: 'manual' } })).status).toBe(201);
  });

  test('is for members where it is paid by transfers only, and the quote says so', async () => {
    await start('manual');
    const plan = await shop.plan({ max_subscribers: 1 });
    expect((await shop.subscribe(plan, asGuest())).body).toMatchObject(forMembers);
    expect((await shop.quote(plan, {}, 'anonymous')).body).toMatchObject(forMembers);
    expect((await shop.subscribe(plan)).status).toBe(201);
  });
});

describe('money for a plan that the member has', () => {
  test('goes back to a guest without a word about what the member has', async () => {
    await start('test');
    const plan = await shop.plan();
    const buying = { as: 'anonymous', body: { email: 'subscriber@example.org' } } as const;
    const first = await shop.subscribe(plan, buying);
    await shop.drive(first.body.id, 'succeed', { agreement: 'agreement_1' });
    await shop.subscriptionOnce(first.body.order.subscription_id, ({ status }) => status === 'active');
    const second = await shop.subscribe(plan, buying);
    await shop.drive(second.body.id, 'succeed');
    await shop.orderOnce(second.body.id, ({ status }) => status === 'refunded');
    const { body } = await shop.call('GET', `/api/checkout/${second.body.id}`, {
      as: 'anonymous',
      headers: { 'order-secret': second.body.order_secret },
    });
    expect(body.order.refunds).toMatchObject([{ reason: 'The subscription could not begin' }]);
  });
});
