import { describe, expect, test } from '@jest/globals';
import { uuidv5 } from '@lyceum/kernel';
import { fold } from '@lyceum/eventlog';
import { termsOfPlan } from '../checkout/cart/cart.plan.ts';
import { subscriptionOf } from '../checkout/cart/placing.plan.ts';
import { refusedByStripe } from '../payments/stripe/stripe-limits.ts';
import type { Money } from '../money/money.ts';
import { planDecider } from '../plans/plan.ts';
import { decideSubscription } from '../subscribing/subscribing.ts';
import { BillingWorld, school } from './testing/billing-world.ts';

const day = 86_400_000;
const monthly = { kind: 'recurring', interval: 'month', interval_count: 1, amount: 3_100, currency: 'USD' } as const;

/** A school that sells by a provider that refuses amounts. */
function selling(refuses: (money: Money) => string | undefined) {
  const troubles = { declines: () => 0, silent: 0, slow: 0, repeated: 0 };
  const tax = { inclusive: true, rate_bp: 1_900 };
  const world = new BillingWorld(Date.UTC(2027, 0, 1, 12), () => 0.5, { tax, timezone: 'UTC', troubles });
  world.provider.refuses = refuses;
  const buy = async (plan: string) => {
    const order = await world.buy('account_1', plan);
    await world.pay(order, 'agreement_1');
    await world.turn();
    return subscriptionOf(order);
  };
  const pass = async (days: number) => {
    world.clock.advance(days * day);
    await world.turn();
    await world.turn();
  };
  const charged = () => [...world.provider.books.values()].map(({ amount }) => amount);
  return { world, buy, pass, charged };
}

describe('what is too little to be charged', () => {
  test('is not left by a balance: less of it is used, and the rest later', async () => {
    const { world, buy, pass, charged } = selling(refusedByStripe);
    await world.plan('plan_monthly', monthly);
    await world.plan('plan_dear', { ...monthly, amount: 6_180 });
    const id = await buy('plan_dear');
    const { state: plan } = await fold(world.log, planDecider, school, 'plan_monthly');
    const terms = termsOfPlan('plan_monthly', plan!);
    const command = { type: 'ChangePlan', change_id: 'change_1', terms, when: 'now', keeps_coupon: false } as const;
    const asked = { school, id, commitId: uuidv5('test', 'change') };
    await decideSubscription(world.ports, asked, (now) => ({ ...command, now }));
    await world.settle();
    expect((await world.subscription(id))?.balance).toBe(3_080);
    await pass(31);
    expect(await world.subscription(id)).toMatchObject({ status: 'active', balance: 30, dunning: null });
    await pass(31);
    expect(charged()).toEqual([6_180, 50, 3_070]);
    expect(world.stuck).toEqual([]);
  });

  test.each([
    ['given, when the period costs no more and its provider never takes it', refusedByStripe, [0], 0],
    ['charged by a provider that takes it', () => undefined, [0, 30], 30],
  ])('is %s', async (_, refuses, amounts, total) => {
    const { world, buy, pass, charged } = selling(refuses);
    await world.plan('plan_small', { ...monthly, amount: 30 }, 14);
    const id = await buy('plan_small');
    await pass(15);
    const state = await world.subscription(id);
    expect(state).toMatchObject({ status: 'active', dunning: null, period: { start: '2027-01-15T12:00:00.000Z' } });
    const order = await world.order(state?.paid_by ?? '');
    expect(order).toMatchObject({ source: 'renewal', status: 'paid', subtotal: 30, total });
    expect(charged()).toEqual(amounts);
    expect(world.stuck).toEqual([]);
  });
});
