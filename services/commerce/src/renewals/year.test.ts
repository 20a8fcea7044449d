import { beforeAll, describe, expect, test } from '@jest/globals';
import { fold } from '@lyceum/eventlog';
import { uuidv5 } from '@lyceum/kernel';
import { termsOfPlan } from '../checkout/cart/cart.plan.ts';
import { subscriptionOf } from '../checkout/cart/placing.plan.ts';
import { decideHolding } from '../ordering/ordering.ts';
import type { OrderData } from '../orders/order.events.ts';
import { type Order, capturedOf, isBought, refundedOf } from '../orders/order.state.ts';
import type { StoredTerms } from '../plans/plan.events.ts';
import { planDecider } from '../plans/plan.ts';
import { decideSubscription } from '../subscribing/subscribing.ts';
import type { SubscriptionEvent } from '../subscriptions/subscription.events.ts';
import { duesOf } from '../subscriptions/subscription.schedule.ts';
import { givesAccess } from '../subscriptions/subscription.state.ts';
import type { SubscriptionCommand } from '../subscriptions/subscription.ts';
import { chances } from '../subscriptions/testing/chances.ts';
import { BillingWorld, school } from './testing/billing-world.ts';

const hour = 3_600_000;
const day = 24 * hour;
const begin = Date.UTC(2027, 0, 1);
const [count, step] = [1_000, 12 * hour];

const monthly: StoredTerms = {
  kind: 'recurring',
  interval: 'month',
  interval_count: 1,
  amount: 3_100,
  currency: 'USD',
};
const yearly: StoredTerms = { ...monthly, interval: 'year', amount: 30_000 };
const quarter: StoredTerms = { ...monthly, interval_count: 3, amount: 8_999 };
const season: StoredTerms = { ...monthly, kind: 'fixed_term', interval_count: 3, amount: 9_000 };
const life: StoredTerms = { ...monthly, kind: 'lifetime', interval: null, interval_count: null, amount: 90_000 };

/** What is known when the year is over. */
interface Year {
  readonly world: BillingWorld;
  readonly orders: ReadonlyMap<string, Order>;
  readonly numbers: readonly number[];
  readonly subscriptions: readonly string[];
  readonly events: readonly (SubscriptionEvent & { readonly stream: string })[];
}

async function year(seed: number): Promise<Year> {
  const chance = chances(seed);
  const declines = (agreement: string): number => (agreement.endsWith('2') ? 1 : 0.15);
  const troubles = { declines, silent: 0.01, slow: 0.1, repeated: 0.2 };
  const tax = { inclusive: false, rate_bp: 1_900 };
  const world = new BillingWorld(begin, chance, { tax, timezone: 'America/New_York', troubles });
  const plans = [
    await world.plan('plan_monthly', monthly),
    await world.plan('plan_trial', monthly, 14),
    await world.plan('plan_month', { ...monthly, amount: 1_900 }),
    await world.plan('plan_yearly', yearly),
    await world.plan('plan_quarter', quarter, 7),
    await world.plan('plan_season', season),
    await world.plan('plan_life', life),
  ];
  await world.coupon('QUARTER', { kind: 'percent', value: 25, duration: 'repeating', duration_cycles: 3 });
  await world.coupon('FIVE', { kind: 'amount', value: 500, duration: 'forever', duration_cycles: null });
  const one = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)]!;
  const begins = Array.from({ length: count }, () => begin + Math.floor(chance() ** 2 * 350 * day));
  const orders: (string | undefined)[] = [];
  let asked = 0;

  const ask = async (
    id: string,
    command: SubscriptionCommand extends infer C ? (C extends { now: string } ? Omit<C, 'now'> : never) : never,
  ) => {
    asked += 1;
    const about = { school, id, commitId: uuidv5('asked', asked) };
    await decideSubscription(world.ports, about, (now) => ({ ...command, now }));
  };
  const change = async (id: string): Promise<void> => {
    const plan = one(plans);
    const { state } = await fold(world.log, planDecider, school, plan);
    const when = one(['now', 'period_end'] as const);
    const about = {
      change_id: `change_${asked}`,
      terms: termsOfPlan(plan, state!),
      when,
      keeps_coupon: chance() < 0.5,
    };
    await ask(id, { type: 'ChangePlan', ...about });
  };
  const refund = async (order_id: string, amount: number | null): Promise<void> => {
    asked += 1;
    const command = { type: 'RequestRefund', order_id, refund_id: `refund_${uuidv5('asked', asked)}` } as const;
    const about = { school, id: order_id, commitId: uuidv5('asked', asked) };
    const rest = { amount, line_ids: [], reason: 'asked for' };
    await decideHolding(world.ports, about, (held) => ({ ...command, ...rest, held }));
  };
  const act = async (index: number): Promise<void> => {
    const order = orders[index];
    if (order === undefined) {
      if (begins[index]! > world.clock.now()) return;
      const bought = await world.buy(`account_${index}`, one(plans), one([undefined, undefined, 'QUARTER', 'FIVE']));
      orders[index] = bought;
      // Some never pay.
      if (index % 10 !== 1) await world.pay(bought, `agreement_${index}`);
      return;
    }
    const [chosen, id] = [chance(), subscriptionOf(order)];
    if (chosen < 0.000_4) await ask(id, { type: 'CancelSubscription', at: 'now', reason: 'unused', by: 'member' });
    else if (chosen < 0.000_8)
      await ask(id, { type: 'CancelSubscription', at: 'period_end', reason: 'other', by: 'staff' });
    else if (chosen < 0.002) await ask(id, { type: 'PauseSubscription' });
    else if (chosen < 0.01) await ask(id, { type: 'ResumeSubscription' });
    else if (chosen < 0.012) await ask(id, { type: 'ExtendSubscription', days: 1 + Math.floor(chance() * 20) });
    else if (chosen < 0.016) await change(id);
    else if (chosen < 0.016_6) {
      const state = await world.subscription(id);
      if (state?.paid_by) await refund(state.paid_by, one([null, 100]));
    }
  };
  for (; world.clock.now() < begin + 366 * day; world.clock.advance(step)) {
    // Nothing runs for a quarter of the year.
    if (world.clock.now() === begin + 200 * day) world.clock.advance(75 * day);
    for (let index = 0; index < count; index += 1) await act(index);
    await world.turn();
  }
  // Nobody does anything more; what is said late arrives, and all that is asked is answered.
  world.provider.troubles = { declines: () => 1, silent: 0, slow: 0, repeated: 0 };
  for (let rest = 0; rest < 80; rest += 1) {
    world.clock.advance(step);
    await world.turn();
  }
  return told(
    world,
    orders.flatMap((each) => (each === undefined ? [] : [subscriptionOf(each)])),
  );
}

async function told(world: BillingWorld, subscriptions: readonly string[]): Promise<Year> {
  const events = await world.events();
  const placed = events.filter(({ type }) => type === 'OrderPlaced');
  const orders = new Map<string, Order>();
  for (const { stream } of placed) orders.set(stream, (await world.order(stream))!);
  return {
    world,
    orders,
    numbers: placed.map(({ data }) => (data as OrderData<'OrderPlaced'>).number),
    subscriptions,
    events: events.filter(
      ({ type, stream }) => stream.startsWith('subscription_') && type.startsWith('Subscription'),
    ) as never,
  };
}

const sum = (amounts: Iterable<number>): number => [...amounts].reduce((all, each) => all + each, 0);

describe('a year of 1,000 subscriptions', () => {
  let all: Year;
  beforeAll(async () => {
    const began = performance.now();
    all = await year(12);
    const [orders, events] = [all.orders.size, all.events.length];
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    process.stderr.write(
      `measured: a year of ${count} subscriptions, ${orders} orders, ${events} events: ${seconds} s\n`,
    );
  }, 300_000);
  const kept = (order: Order): number => (capturedOf(order)?.amount ?? 0) - refundedOf(order);

  test('the payments of the orders are what the provider has, to the last minor unit', () => {
    const { orders, world } = all;
    const atProvider = new Map<string, number>();
    for (const { order_id, amount, refunded } of world.provider.books.values())
      atProvider.set(order_id, (atProvider.get(order_id) ?? 0) + amount - refunded);
    const differing = [...orders].filter(([id, order]) => kept(order) !== (atProvider.get(id) ?? 0));
    expect(differing.map(([id]) => id)).toEqual([]);
    expect(sum(atProvider.values())).toBe(sum([...orders.values()].map(kept)));
    expect(world.stuck).toEqual([]);
    expect(world.isBusy).toBe(false);
  });

  test('the ledger of the subscriptions is the sum of their orders', () => {
    const ledger = sum(
      all.events.map(({ type, data }) => {
        if (type === 'SubscriptionStarted') return data.order_id === null ? 0 : data.value;
        if (type === 'SubscriptionRenewed') return data.total;
        return type === 'SubscriptionPlanChanged' ? data.charge : 0;
      }),
    );
    const served = [...all.orders.values()].filter(({ lines }) => lines[0]!.fulfilled);
    expect(sum(served.map(({ subtotal, discount_total }) => subtotal - discount_total))).toBe(ledger);
    for (const { total, subtotal, discount_total, tax_total } of all.orders.values())
      expect([total, tax_total]).toEqual([
        subtotal - discount_total + tax_total,
        Math.round((subtotal - discount_total) * 0.19),
      ]);
  });

  test('nobody is charged twice for a period, and who paid has it or the money back', () => {
    const { books } = all.world.provider;
    const charged = [...books.values()]
      .filter(({ amount, refunded }) => amount > refunded)
      .map(({ order_id }) => order_id);
    expect(new Set(charged).size).toBe(charged.length);
    const paidBy = all.events.flatMap(({ type, data }) =>
      type === 'SubscriptionRenewed' && data.order_id !== null ? [data.order_id] : [],
    );
    expect(new Set(paidBy).size).toBe(paidBy.length);
    const periods = all.events.flatMap(({ type, data, stream }) =>
      type === 'SubscriptionRenewed' ? [`${stream} ${data.period_start}`] : [],
    );
    expect(new Set(periods).size).toBe(periods.length);
    for (const [id, order] of all.orders)
      if (isBought(order) && !order.lines[0]!.fulfilled) expect([id, kept(order)]).toEqual([id, 0]);
  });

  test('the orders are numbered without gaps', () =>
    expect(all.numbers).toEqual(Array.from(all.numbers, (_, index) => index + 1)));

  test('nothing is overdue, and access follows from what is paid or in grace', async () => {
    const { now } = all.world;
    for (const id of all.subscriptions) {
      const state = (await all.world.subscription(id))!;
      expect(duesOf(state).filter(({ at }) => at <= now)).toEqual([]);
      if (!givesAccess(state)) continue;
      const isInGrace = state.status === 'past_due' && state.dunning!.grace_until > now;
      const isCovered = state.period!.end === null || state.period!.end > now;
      expect(isInGrace || isCovered).toBe(true);
    }
  });

  test('went all ways that there are', async () => {
    const types = new Set(all.events.map(({ type }) => type.replace('Subscription', '')));
    for (const type of ['Started', 'Expired', 'Renewed', 'PastDue', 'RetryFailed', 'Recovered', 'Lapsed', 'Canceled'])
      expect(types).toContain(type);
    for (const type of ['PlanChanged', 'PlanChangeWithdrawn', 'Paused', 'Resumed', 'Extended', 'CancelScheduled'])
      expect(types).toContain(type);
    const orders = [...all.orders.values()];
    for (const source of ['checkout', 'renewal', 'change'])
      expect(orders.some((each) => each.source === source)).toBe(true);
    expect(orders.length).toBeGreaterThan(2_500);
    // Months that nobody was asked to pay for in time cost nothing.
    expect(all.events.some(({ type, data }) => type === 'SubscriptionRenewed' && data.order_id === null)).toBe(true);
    expect(orders.filter(({ status }) => status === 'refunded').length).toBeGreaterThan(10);
    expect(all.world.provider.asked.silences).toBeGreaterThan(20);
  });
});
