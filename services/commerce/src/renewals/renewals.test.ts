import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '@lyceum/testkit';
import { type Memberships, startMemberships } from '../testing/memberships.ts';
import { memberToken } from '../testing/selling.ts';

const [hour, day] = [3_600_000, 86_400_000];
const usd = (amount: number) => ({ amount, currency: 'USD' });

/** A member's subscription that is paid by an agreement; gives its id. */
async function subscribed(
  shop: Memberships,
  { name, agreement, plan }: { name: string; agreement: string; plan?: object },
) {
  const { body } = await shop.subscribe(await shop.plan(plan), { as: memberToken(name) });
  await shop.drive(body.id, 'succeed', { agreement });
  const id: string = body.order.subscription_id;
  await shop.subscriptionOnce(id, ({ status }) => status === 'active' || status === 'trialing');
  return id;
}

describe('a subscription whose period is over', () => {
  let shop: Memberships;
  beforeAll(async () => void (shop = await startMemberships()));
  afterAll(() => shop.close());

  test('is charged once, by an order of its own with the next number', async () => {
    const id = await subscribed(shop, { name: 'loyal', agreement: 'card' });
    shop.clock.advance(31 * day);
    const state = await shop.subscriptionOnce(id, ({ period }) => period?.start === '2026-02-05T08:00:00.000Z');
    expect(state).toMatchObject({ status: 'active', value: 3_100, period: { end: '2026-03-05T08:00:00.000Z' } });
    const renewal = await shop.orderOnce(state.paid_by!, ({ fulfilled_at }) => fulfilled_at !== null);
    expect(renewal).toMatchObject({
      number: 2,
      source: 'renewal',
      status: 'paid',
      subscription_id: id,
      total: usd(3_100),
      buyer: { member_id: 'account_loyal' },
      lines: [{ item_type: 'membership_plan', total: usd(3_100) }],
      payments: [{ provider: 'test', state: 'captured' }],
    });
    shop.clock.advance(28 * day);
    await shop.subscriptionOnce(id, ({ period }) => period?.start === '2026-03-05T08:00:00.000Z');
    expect((await shop.orders()).map(({ number }) => number)).toEqual([1, 2, 3]);
  });
});

describe('a subscription that is not paid', () => {
  test('is tried four times more in the same order, and lapses with it when the time of grace is over', async () => {
    const shop = await startMemberships();
    const id = await subscribed(shop, { name: 'poor', agreement: 'card_declined' });
    shop.clock.advance(31 * day);
    let state = await shop.subscriptionOnce(id, ({ status }) => status === 'past_due');
    const order = state.dunning!.order_id;
    let days = 0;
    for (const [tries, at] of [
      [2, 1],
      [3, 3],
      [4, 7],
      [5, 13],
    ] as const) {
      shop.clock.advance((at - days) * day);
      days = at;
      state = await shop.subscriptionOnce(id, ({ dunning }) => dunning?.payments.length === tries);
    }
    expect(state.dunning).toMatchObject({ order_id: order, next_attempt_at: null });
    shop.clock.advance(day);
    await shop.subscriptionOnce(id, ({ status }) => status === 'lapsed');
    const over = await shop.orderOnce(order, ({ status }) => status === 'expired');
    expect(over.payments.map(({ state: one }: { state: string }) => one)).toEqual(Array(5).fill('failed'));
    expect(over.payments.map(({ id: each }: { id: string }) => each.split('.')[1])).toEqual(['1', '2', '3', '4', '5']);
    await shop.close();
  });

  test('goes on when the person pays on the page, by what they agree to there', async () => {
    const shop = await startMemberships();
    const id = await subscribed(shop, { name: 'late', agreement: 'card_declined' });
    shop.clock.advance(31 * day);
    const { dunning } = await shop.subscriptionOnce(id, ({ status }) => status === 'past_due');
    const paying = await shop.call('POST', `/api/checkout/${dunning!.order_id}/payments`, { as: memberToken('late') });
    expect([paying.status, paying.body.payment]).toMatchObject([201, { state: 'open' }]);
    await shop.drive(paying.body.payment.id, 'succeed', { agreement: 'new_card' });
    const state = await shop.subscriptionOnce(id, ({ status }) => status === 'active');
    expect(state).toMatchObject({
      agreement: 'new_card',
      dunning: null,
      period: { start: '2026-02-05T08:00:00.000Z' },
    });
    await shop.close();
  });

  test('is paid by a transfer where nobody can be charged without them', async () => {
    const shop = await startMemberships({ settings: { PAYMENT_PROVIDERS: ['manual'] } });
    const { body } = await shop.subscribe(await shop.plan(), { as: memberToken('bank') });
    const capture = (order: string) =>
      shop.call('POST', `/internal/payments/manual/${order}/capture`, { body: { school: 'school_1' } });
    await capture(body.id);
    const id = body.order.subscription_id;
    await shop.subscriptionOnce(id, ({ status }) => status === 'active');
    shop.clock.advance(31 * day);
    const due = await shop.subscriptionOnce(id, ({ status }) => status === 'past_due');
    const order = await shop.order(due.dunning!.order_id);
    expect(order).toMatchObject({ status: 'pending', source: 'renewal', payments: [{ provider: 'manual' }] });
    shop.clock.advance(5 * day);
    await capture(order.id);
    const state = await shop.subscriptionOnce(id, ({ status }) => status === 'active');
    expect(state).toMatchObject({ paid_by: order.id, period: { start: '2026-02-05T08:00:00.000Z' } });
    await shop.close();
  });

  test('is over at once when the dispute about a payment is lost', async () => {
    const shop = await startMemberships();
    const id = await subscribed(shop, { name: 'angry', agreement: 'card' });
    const { order_id } = await shop.subscriptionOnce(id, () => true);
    await shop.drive(order_id!, 'dispute');
    expect((await shop.subscriptionOnce(id, () => true)).status).toBe('active');
    await shop.drive(order_id!, 'lose_dispute');
    await shop.subscriptionOnce(id, ({ status }) => status === 'canceled');
    await shop.close();
  });

  test('rests while a payment is disputed, where the school wants it so, and goes on when all disputes are won', async () => {
    const shop = await startMemberships();
    const id = await subscribed(shop, { name: 'torn', agreement: 'card' });
    const first = (await shop.subscriptionOnce(id, () => true)).order_id!;
    shop.clock.advance(31 * day);
    const { paid_by } = await shop.subscriptionOnce(id, ({ period }) => period?.start === '2026-02-05T08:00:00.000Z');
    await shop.orderOnce(paid_by!, ({ fulfilled_at }) => fulfilled_at !== null);
    await shop.publish('school', { type: 'SchoolChanged', data: { suspend_access_on_dispute: true } });
    await shop.drive(paid_by!, 'dispute');
    await shop.subscriptionOnce(id, ({ status }) => status === 'paused');
    await shop.drive(first, 'dispute');
    await shop.subscriptionOnce(id, ({ disputed = [] }) => disputed.length === 2);
    shop.clock.advance(40 * day);
    await shop.drive(paid_by!, 'win_dispute');
    await shop.settled();
    // Nothing is charged while it rests, and it rests for the other one still.
    expect((await shop.subscriptionOnce(id, () => true)).status).toBe('paused');
    expect(await shop.orders()).toHaveLength(2);
    await shop.drive(first, 'win_dispute');
    const on = await shop.subscriptionOnce(id, ({ status }) => status === 'active');
    expect([on.access, on.period?.end]).toEqual([2, '2026-04-14T08:00:00.000Z']);
    await shop.drive(first, 'dispute', { event_id: 'evt_again' });
    await shop.subscriptionOnce(id, ({ status }) => status === 'paused');
    await shop.drive(first, 'lose_dispute', { event_id: 'evt_lost' });
    await shop.subscriptionOnce(id, ({ status }) => status === 'canceled');
    await shop.close();
  });
});

describe('a subscription of a school that is not open', () => {
  const renewed = '2026-02-05T08:00:00.000Z';
  let shop: Memberships;
  beforeEach(async () => void (shop = await startMemberships()));
  afterEach(() => shop.close());

  const hear = async (type: 'SchoolSuspended' | 'SchoolResumed' | 'SchoolClosed') => {
    await shop.publish('school', { type, data: {} });
    await shop.settled();
  };
  const processOf = async (id: string) =>
    (await shop.log.load('school_1', [`process/renewals/${id}`])).commits.flatMap(({ events }) => events);
  /** How often the process of a subscription was told that the school is not open. */
  const waits = async (id: string): Promise<number> =>
    (await processOf(id)).filter(({ type }) => type === 'CommandRejected').length;
  const waitedMore = async (id: string, than: number) =>
    until(async () => (await waits(id)) > than, `more than ${than} waits`);

  test('is charged nothing while it is suspended, and once, of the period of now, within a day after it goes on', async () => {
    const id = await subscribed(shop, { name: 'patient', agreement: 'card' });
    await hear('SchoolSuspended');
    shop.clock.advance(31 * day);
    for (const hours of [1, 2, 4, 8, 16, 24, 24]) {
      await waitedMore(id, 0);
      const before = await waits(id);
      shop.clock.advance(hours * hour);
      await waitedMore(id, before);
    }
    expect(await shop.orders()).toHaveLength(1);
    expect((await shop.subscriptionOnce(id, () => true)).status).toBe('active');
    await hear('SchoolResumed');
    shop.clock.advance(day);
    expect(await shop.subscriptionOnce(id, ({ period }) => period?.start === renewed)).toMatchObject({
      status: 'active',
      dunning: null,
    });
    expect((await shop.orders()).map(({ number }) => number)).toEqual([1, 2]);
  });

  test('keeps what it has while it is suspended, also when the time of grace ends', async () => {
    const id = await subscribed(shop, { name: 'shut-out', agreement: 'card_declined' });
    shop.clock.advance(31 * day);
    await shop.subscriptionOnce(id, ({ status }) => status === 'past_due');
    await hear('SchoolSuspended');
    const before = await waits(id);
    shop.clock.advance(20 * day);
    await waitedMore(id, before);
    const { status, dunning } = await shop.subscriptionOnce(id, () => true);
    expect([status, dunning?.payments.length]).toEqual(['past_due', 1]);
  });

  test('is never charged again, and waits for nothing, when it is closed', async () => {
    const id = await subscribed(shop, { name: 'last', agreement: 'card' });
    await hear('SchoolClosed');
    shop.clock.advance(31 * day);
    await waitedMore(id, 0);
    expect((await processOf(id)).at(-1)).toMatchObject({ type: 'CommandRejected', data: { code: 'school_closed' } });
    expect(await shop.orders()).toHaveLength(1);
  });
});
