import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Memberships, startMemberships } from '../../testing/memberships.ts';
import { memberToken } from '../../testing/selling.ts';

const day = 86_400_000;
const usd = (amount: number) => ({ amount, currency: 'USD' });
const ask = async (service: string, { kind, ids }: Readonly<Record<string, unknown>>): Promise<unknown> =>
  service === 'school' && kind === 'standing-of-members' && Array.isArray(ids)
    ? { members: ids.map((id: unknown) => ({ id, role: 'member', status: 'active' })) }
    : undefined;

let shop: Memberships;
let plans: Record<'small' | 'middle' | 'large' | 'few', string>;
beforeAll(async () => {
  shop = await startMemberships({ ports: { ask } });
  plans = {
    small: await shop.plan({ name: 'Small', price: { amount: 1_000 } }),
    middle: await shop.plan({ name: 'Middle' }),
    large: await shop.plan({ name: 'Large', price: { amount: 6_200 } }),
    few: await shop.plan({ name: 'Few', price: { amount: 6_200 }, max_subscribers: 1 }),
  };
});
afterAll(() => shop.close());

let people = 0;
/** A member with the middle plan for 3,100, paid ten days of 31 ago. `agreement`: to later charges; null = none. */
async function subscribed(agreement: string | null = 'card', name = `changer_${(people += 1)}`): Promise<string> {
  const { body } = await shop.subscribe(plans.middle, { as: memberToken(name) });
  await shop.drive(body.id, 'succeed', agreement === null ? {} : { agreement });
  const id: string = body.order.subscription_id;
  await shop.subscriptionOnce(id, ({ status }) => status === 'active');
  shop.clock.advance(10 * day);
  return id;
}

let keys = 0;
const send = (id: string, below: string, body: object, key: string | null = `change-${(keys += 1)}`) =>
  shop.call('POST', `/api/subscriptions/${id}/change-plan${below}`, {
    body,
    ...(key === null ? {} : { headers: { 'idempotency-key': key } }),
  });
const change = (id: string, plan_id: string, when: 'now' | 'period_end' = 'now', key?: string) =>
  send(id, '', { plan_id, when }, key);
const quote = (id: string, plan_id: string, when: 'now' | 'period_end' = 'now') =>
  send(id, '/quotes', { plan_id, when });
const read = async (id: string) => (await shop.call('GET', `/api/subscriptions/${id}`)).body;
const subscribersOf = async (plan: string) =>
  (await shop.call('GET', `/api/membership_plans/${plan}`)).body.subscriber_count;

describe('another plan now', () => {
  test('that costs more is charged by what was agreed, less the days that are left, as the quote said', async () => {
    const id = await subscribed();
    const before = await read(id);
    const orders = (await shop.orders()).length;
    const [middle, large] = [await subscribersOf(plans.middle), await subscribersOf(plans.large)];
    const quoted = await quote(id, plans.large);
    expect([quoted.status, quoted.body]).toMatchObject([
      200,
      {
        object: 'plan_change_quote',
        plan_id: plans.large,
        price: usd(6_200),
        credit: usd(2_100),
        charge: usd(4_100),
        total: usd(4_100),
        balance: usd(0),
        effective_at: null,
      },
    ]);
    expect([await read(id), (await shop.orders()).length]).toEqual([before, orders]);
    const changed = await change(id, plans.large, 'now', 'the-same-change');
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { id, order: { source: 'change', subscription_id: id, total: usd(4_100) }, payment: { state: 'captured' } },
    ]);
    const again = await change(id, plans.large, 'now', 'the-same-change');
    expect([again.status, again.body.order.id]).toEqual([200, changed.body.order.id]);
    await shop.subscriptionOnce(id, ({ terms }) => terms.plan_id === plans.large);
    expect(await read(id)).toMatchObject({
      status: 'active',
      price: usd(6_200),
      current_period_end: quoted.body.current_period_end,
      change: null,
    });
    expect((await shop.orders()).length).toBe(orders + 1);
    expect([await subscribersOf(plans.middle), await subscribersOf(plans.large)]).toEqual([middle - 1, large + 1]);
  });

  test('that costs less is in effect at once, and what is left is set off later', async () => {
    const id = await subscribed();
    const expected = { credit: usd(2_100), charge: usd(0), total: usd(0), balance: usd(1_100) };
    const quoted = await quote(id, plans.small);
    expect(quoted.body).toMatchObject({ ...expected, effective_at: expect.any(String) });
    const { status, body } = await change(id, plans.small);
    expect([status, body]).toMatchObject([
      200,
      { plan_id: plans.small, balance: usd(1_100), change: null, order: null, payment: null },
    ]);
    expect(body.current_period_end).toBe(quoted.body.current_period_end);
  });

  test('waits for the person where nothing was agreed, and is in effect once it is paid', async () => {
    const id = await subscribed(null);
    const { body } = await change(id, plans.large);
    expect(body).toMatchObject({
      plan_id: plans.middle,
      change: { plan_id: plans.large, when: 'now', charge: usd(4_100) },
      order: { status: 'pending', total: usd(4_100) },
      payment: { provider: 'test', state: 'open' },
    });
    const second = await change(id, plans.small);
    expect([second.status, second.body.error]).toEqual([409, 'invalid_state']);
    expect((await quote(id, plans.small)).body.error).toBe('invalid_state');
    await shop.drive(body.order.id, 'succeed');
    expect(await shop.subscriptionOnce(id, ({ terms }) => terms.plan_id === plans.large)).toMatchObject({
      change: null,
      paid_by: body.order.id,
    });
  });

  test('that is not paid leaves the plan as it is, and its place to others', async () => {
    const id = await subscribed('card_declined');
    const { body } = await change(id, plans.few);
    expect(body).toMatchObject({ plan_id: plans.middle, order: { source: 'change' }, payment: { state: 'failed' } });
    expect(await subscribersOf(plans.few)).toBe(1);
    // The person may still pay on the page, for an hour, and what is sent then has ten minutes to come.
    shop.clock.advance(3_600_000 + 600_000);
    await shop.subscriptionOnce(id, ({ change: waiting }) => waiting === null);
    expect(await read(id)).toMatchObject({ plan_id: plans.middle, change: null, status: 'active' });
    expect(await subscribersOf(plans.few)).toBe(0);
  });
});

describe('another plan from the next period', () => {
  test('costs nothing now, is renewed to, and is taken back by the plan that there is', async () => {
    const id = await subscribed();
    const { current_period_end } = await read(id);
    const quoted = await quote(id, plans.large, 'period_end');
    expect(quoted.body).toMatchObject({ charge: usd(0), credit: usd(0), effective_at: current_period_end });
    const waiting = await change(id, plans.large, 'period_end');
    expect(waiting.body).toMatchObject({
      plan_id: plans.middle,
      change: { plan_id: plans.large, when: 'period_end', until: null },
      order: null,
    });
    expect((await change(id, plans.middle, 'period_end')).body).toMatchObject({ change: null });
    await change(id, plans.large, 'period_end');
    shop.clock.advance(Date.parse(current_period_end) - shop.clock.now());
    await shop.subscriptionOnce(
      id,
      ({ terms, period }) => terms.plan_id === plans.large && period?.start === current_period_end,
    );
    expect(await read(id)).toMatchObject({ current_period_end: quoted.body.current_period_end, price: usd(6_200) });
  });
});

describe('another plan is refused', () => {
  const both = async (id: string, plan: string) => {
    const [quoted, changed] = [await quote(id, plan), await change(id, plan)];
    return [quoted.status, quoted.body.error, changed.status, changed.body.error];
  };

  test('that the member has already', async () => {
    const id = await subscribed('card', 'twice');
    const { body } = await shop.subscribe(plans.small, { as: memberToken('twice') });
    await shop.drive(body.id, 'succeed', { agreement: 'card' });
    await shop.subscriptionOnce(body.order.subscription_id, ({ status }) => status === 'active');
    expect(await both(id, plans.small)).toEqual([409, 'already_subscribed', 409, 'already_subscribed']);
  });

  test('that is full, is sold no more, or that there is not', async () => {
    const full = await shop.plan({ name: 'Full', max_subscribers: 1 });
    await shop.call('POST', '/api/subscriptions', { body: { member_id: 'account_first', plan_id: full } });
    const retired = await shop.plan({ name: 'Retired' });
    await shop.call('POST', `/api/membership_plans/${retired}/retire`);
    const id = await subscribed();
    expect(await both(id, full)).toEqual([409, 'sold_out', 409, 'sold_out']);
    expect(await both(id, retired)).toEqual([409, 'invalid_state', 409, 'invalid_state']);
    const unknown = 'plan_00000000-0000-7000-8000-00000000ffff';
    expect(await both(id, unknown)).toEqual([422, 'validation_failed', 422, 'validation_failed']);
  });

  test('where nothing was agreed by which it could be paid, or it is over', async () => {
    const { body } = await shop.call('POST', '/api/subscriptions', {
      body: { member_id: 'account_gifted', plan_id: plans.middle },
    });
    expect(await both(body.id, plans.large)).toEqual([409, 'invalid_state', 409, 'invalid_state']);
    await shop.call('POST', `/api/subscriptions/${body.id}/cancel`, { body: { at: 'now' } });
    expect(await both(body.id, plans.large)).toEqual([409, 'already_canceled', 409, 'already_canceled']);
  });

  test('of no subscription, and without an Idempotency-Key', async () => {
    const nobody = 'subscription_00000000-0000-7000-8000-00000000ffff';
    expect(await both(nobody, plans.large)).toEqual([404, 'not_found', 404, 'not_found']);
    const id = await subscribed();
    expect((await send(id, '', { plan_id: plans.large }, null)).status).toBe(400);
    for (const body of [
      {},
      { plan_id: 'large' },
      { plan_id: plans.large, when: 'later' },
      { plan_id: plans.large, price: 1 },
    ])
      expect((await send(id, '', body)).status).toBe(422);
  });
});
