import { describe, expect, test } from '@jest/globals';
import { fold } from '@lyceum/eventlog';
import { uuidv5 } from '@lyceum/kernel';
import { termsOfPlan } from '../checkout/cart/cart.plan.ts';
import { subscriptionOf } from '../checkout/cart/placing.plan.ts';
import { refundedOf } from '../orders/order.state.ts';
import { decideHolding, takeNotice } from '../ordering/ordering.ts';
import { paymentId } from '../orders/order.ids.ts';
import type { PaymentNotice } from '../payments/payment-provider.ts';
import { planDecider } from '../plans/plan.ts';
import { decideSubscription } from '../subscribing/subscribing.ts';
import type { SubscriptionCommand } from '../subscriptions/subscription.ts';
import { doWhatIsDue } from './collecting.ts';
import { changeOrder } from './plan-change.ts';
import { BillingWorld, school } from './testing/billing-world.ts';
import type { Troubles } from './testing/provider-with-books.ts';

const day = 86_400_000;
const begin = Date.UTC(2027, 0, 1, 12);
const monthly = { kind: 'recurring', interval: 'month', interval_count: 1, amount: 3_100, currency: 'USD' } as const;
const well: Troubles = { declines: () => 0, silent: 0, slow: 0, repeated: 0 };

/** A world with one subscription that is to be paid. */
async function asked() {
  const tax = { inclusive: true, rate_bp: 1_900 };
  const world = new BillingWorld(begin, () => 0.5, { tax, timezone: 'UTC', troubles: well });
  await world.plan('plan_monthly', monthly);
  await world.plan('plan_better', { ...monthly, amount: 6_200 });
  return { world, order: await world.buy('account_1', 'plan_monthly') };
}

/** The provider says something of the newest payment of an order. */
async function say(world: BillingWorld, order_id: string, kind: PaymentNotice['kind']): Promise<void> {
  const { payments, currency } = (await world.order(order_id))!;
  const { payment_id, amount, reference: known } = payments.at(-1)!;
  const about = { school, order_id, payment_id, amount, currency, at: world.now };
  const reference = known ?? `session_${payment_id}`;
  await takeNotice(world.ports, 'stripe', { ...about, event_id: `${payment_id}:${kind}`, kind, reference });
}

/** A world with one subscription that is paid for January. */
async function subscribed(troubles: Partial<Troubles> = {}) {
  const { world, order } = await asked();
  await world.pay(order, 'agreement_1');
  await world.turn();
  world.provider.troubles = { ...well, ...troubles };
  const id = subscriptionOf(order);
  let commands = 0;
  const ask = async (command: SubscriptionCommand) => {
    commands += 1;
    const about = { school, id, commitId: uuidv5('test', commands) };
    await decideSubscription(world.ports, about, () => command);
    await world.settle();
  };
  /** Days pass, and everything that is due is done in the end. */
  const pass = async (days: number, turns = 1) => {
    world.clock.advance(days * day);
    for (let turn = 0; turn < turns; turn += 1) await world.turn();
  };
  const change = async (when: 'now' | 'period_end' = 'now') => {
    const { state: plan } = await fold(world.log, planDecider, school, 'plan_better');
    const terms = termsOfPlan('plan_better', plan!);
    await ask({ type: 'ChangePlan', now: world.now, change_id: 'change_1', terms, when, keeps_coupon: false });
  };
  const charged = () => [...world.provider.books.values()].map(({ amount, refunded }) => amount - refunded);
  return { world, id, ask, pass, change, charged, now: async () => (await world.subscription(id))! };
}

describe('what is due', () => {
  test('is charged once, wherever the process is killed', async () => {
    let kills = 0;
    for (; kills < 100; kills += 1) {
      const { world, pass, charged, now } = await subscribed();
      world.killAt(kills + 1);
      await pass(31, 3);
      expect([kills, charged(), (await now()).period?.end]).toEqual([
        kills,
        [3_100, 3_100],
        '2027-03-01T12:00:00.000Z',
      ]);
      expect(world.stuck).toEqual([]);
      if (!world.wasKilled) break;
    }
    expect(kills).toBeGreaterThan(8);
  });

  test('is for the period of now only, after months in which nothing ran', async () => {
    const { pass, charged, now, world } = await subscribed();
    await pass(100);
    expect(charged()).toEqual([3_100, 3_100]);
    expect(await now()).toMatchObject({
      status: 'active',
      period: { start: '2027-04-01T12:00:00.000Z', end: '2027-05-01T12:00:00.000Z' },
    });
    await pass(22);
    expect(charged()).toHaveLength(3);
    const orders = (await world.events()).filter(({ type }) => type === 'OrderPlaced');
    expect(orders).toHaveLength(3);
  });

  test('waits for a provider that gives no answer: nothing has failed', async () => {
    const { world, pass, charged, now } = await subscribed({ silent: 1 });
    await pass(31, 3);
    expect([charged(), (await now()).status, world.isBusy]).toEqual([[3_100], 'active', true]);
    // For more than a month: what nobody was asked for is not made up for.
    await pass(40);
    world.provider.troubles = well;
    await pass(1, 3);
    expect(charged()).toEqual([3_100, 3_100]);
    expect((await now()).period?.start).toBe('2027-03-01T12:00:00.000Z');
  });

  test('is paid back when the subscription was canceled meanwhile', async () => {
    const { world, pass, ask, charged, now } = await subscribed({ slow: 1 });
    await pass(31);
    await ask({ type: 'CancelSubscription', now: world.now, at: 'now', reason: 'unused', by: 'member' });
    world.provider.troubles = well;
    await pass(2, 3);
    expect([charged(), (await now()).status]).toEqual([[3_100, 0], 'canceled']);
  });

  test('fails, is tried again in the same order, and is paid then', async () => {
    const { world, pass, charged, now } = await subscribed({ declines: () => 1 });
    await pass(31, 2);
    const { dunning } = await now();
    expect([(await now()).status, charged()]).toEqual(['past_due', [3_100]]);
    world.provider.troubles = well;
    await pass(1, 2);
    expect(await now()).toMatchObject({ status: 'active', paid_by: dunning!.order_id, dunning: null });
    expect((await world.order(dunning!.order_id))!.payments.map(({ state }) => state)).toEqual(['failed', 'captured']);
  });
});

describe('a change of the plan that costs something', () => {
  test('is charged at once, by an order over what is left', async () => {
    const { world, change, charged, now, pass } = await subscribed();
    await pass(15);
    await change();
    // 16 of 31 days were not used.
    expect([charged(), (await now()).terms.plan_id]).toEqual([[3_100, 6_200 - 1_600], 'plan_better']);
    expect(world.stuck).toEqual([]);
  });

  test('has the same order however often it is asked for, and none when it is not wanted', async () => {
    const { world, id, change, now, charged } = await subscribed({ slow: 1 });
    await change();
    const asked = { school, subscription: id, change_id: 'change_1' };
    const [one, other] = [await changeOrder(world.ports, asked), await changeOrder(world.ports, asked)];
    expect(one?.order_id).toBe(other?.order_id);
    expect(one?.order).toMatchObject({ source: 'change', status: 'pending', subscription_id: id });
    expect(await changeOrder(world.ports, { ...asked, change_id: 'change_2' })).toBeUndefined();
    expect([charged().length, (await now()).terms.plan_id]).toEqual([2, 'plan_monthly']);
  });

  test('is withdrawn when nobody pays in time, and what comes then goes back', async () => {
    const { world, change, now, charged, pass } = await subscribed({ slow: 1 });
    await change();
    // Told after half a day, an hour too late.
    world.provider.troubles = well;
    await pass(0.1);
    expect((await now()).change).toBeNull();
    await pass(1, 3);
    expect([charged(), (await now()).terms.plan_id]).toEqual([[3_100, 0], 'plan_monthly']);
    const orders = (await world.events()).filter(({ type }) => type === 'OrderPlaced');
    const order = (await world.order(orders[1]!.stream))!;
    expect([order.status, refundedOf(order, ['returned'])]).toEqual(['expired', order.total]);
  });
});

describe('money that is on its way for days', () => {
  /** Days pass, and everything that is due is done in the end. */
  const pass = async (world: BillingWorld, days: number) => {
    world.clock.advance(days * day);
    for (let turn = 0; turn < 3; turn += 1) await world.turn();
  };
  const changeOf = async (world: BillingWorld) =>
    (await world.events()).filter(({ type }) => type === 'OrderPlaced')[1]!.stream;

  test('is waited for by what is bought with it, which begins when it comes', async () => {
    const { world, order } = await asked();
    await say(world, order, 'processing');
    await pass(world, 0.01);
    await pass(world, 5);
    expect((await world.subscription(subscriptionOf(order)))?.status).toBe('incomplete');
    await say(world, order, 'captured');
    await pass(world, 0);
    expect((await world.subscription(subscriptionOf(order)))?.status).toBe('active');
    expect([(await world.order(order))?.status, world.stuck]).toEqual(['paid', []]);
  });

  test('and does not come ends what is bought with it', async () => {
    const { world, order } = await asked();
    await say(world, order, 'processing');
    await pass(world, 5);
    await say(world, order, 'failed');
    await pass(world, 0.01);
    expect((await world.subscription(subscriptionOf(order)))?.status).toBe('incomplete');
    await pass(world, 0.1);
    expect((await world.subscription(subscriptionOf(order)))?.status).toBe('expired');
  });

  test('counts for what is bought until nothing is held any more, though the time to pay is over', async () => {
    const { world, order } = await asked();
    world.clock.advance(31 * 60_000);
    await world.turn();
    expect((await world.order(order))?.status).toBe('expired');
    await say(world, order, 'captured');
    await pass(world, 0);
    expect((await world.subscription(subscriptionOf(order)))?.status).toBe('active');
  });

  test('is waited for by a change of the plan', async () => {
    const { world, change, charged, now } = await subscribed({ slow: 1 });
    await change();
    await say(world, await changeOf(world), 'processing');
    await pass(world, 0.1);
    expect((await now()).change).not.toBeNull();
    await pass(world, 1);
    expect([charged(), (await now()).terms.plan_id, world.stuck]).toEqual([[3_100, 3_100], 'plan_better', []]);
  });

  test('and does not come ends the change, and the period that was over meanwhile is followed by the next', async () => {
    const { world, change, charged, now } = await subscribed({ slow: 1, declines: () => 1 });
    await pass(world, 30.98);
    await change();
    await say(world, await changeOf(world), 'processing');
    await pass(world, 0.1);
    expect(await now()).toMatchObject({ status: 'active', change: { change_id: 'change_1' } });
    world.provider.troubles = well;
    await pass(world, 1);
    await pass(world, 0.1);
    expect(await now()).toMatchObject({ status: 'active', change: null, terms: { plan_id: 'plan_monthly' } });
    expect([charged(), (await now()).period?.start]).toEqual([[3_100, 3_100], '2027-02-01T12:00:00.000Z']);
  });
});

describe('what is due and is not paid', () => {
  /** A world with a subscription whose tries have all failed; the person begins another payment just before it lapses. */
  async function payingLate() {
    const all = await subscribed({ declines: () => 1 });
    const { world, pass, now } = all;
    await pass(31, 2);
    for (const days of [1, 2, 4, 6]) await pass(days, 2);
    const order_id = (await now()).dunning!.order_id;
    const { payments, expires_at, holds_until } = (await world.order(order_id))!;
    expect(payments.map(({ state }) => state)).toEqual(Array(5).fill('failed'));
    const payment = { payment_id: paymentId(order_id, 6), provider: 'stripe', end: { expires_at, holds_until } };
    const asking = { school, id: order_id, commitId: uuidv5('test', order_id) };
    await decideHolding(world.ports, asking, (held, at) => ({
      type: 'StartPayment',
      order_id,
      ...payment,
      held,
      now: at,
    }));
    return { ...all, order_id };
  }

  test('lapses when the time of grace is over, though somebody has a payment open', async () => {
    const { pass, now } = await payingLate();
    await pass(1, 2);
    expect((await now()).status).toBe('lapsed');
  });

  test('is waited for while the money is on its way, and goes on when it comes', async () => {
    const { world, pass, now, order_id } = await payingLate();
    await say(world, order_id, 'processing');
    await pass(5, 2);
    expect((await now()).status).toBe('past_due');
    await say(world, order_id, 'captured');
    await pass(0, 2);
    expect(await now()).toMatchObject({ status: 'active', paid_by: order_id, dunning: null });
    expect((await world.order(order_id))?.status).toBe('paid');
  });

  test('has three days more when that money does not come, and lapses then', async () => {
    const { world, pass, now, order_id } = await payingLate();
    await say(world, order_id, 'processing');
    await pass(5, 2);
    await say(world, order_id, 'failed');
    await pass(0, 2);
    await pass(2, 2);
    expect(await now()).toMatchObject({ status: 'past_due', dunning: { next_attempt_at: null } });
    await pass(1, 2);
    expect((await now()).status).toBe('lapsed');
  });

  test('does not lapse when it was paid just before', async () => {
    const { world, id, now, order_id } = await payingLate();
    world.clock.advance(2 * day);
    await say(world, order_id, 'captured');
    const meta = { actor: 'system' } as const;
    const ordered = { tenant: school, correlation: id, commitId: uuidv5('due', id), meta };
    await doWhatIsDue({ ordered, ports: world.ports });
    expect((await now()).status).toBe('past_due');
    await world.settle();
    expect((await now()).status).toBe('active');
  });
});
