import { beforeEach, describe, expect, test } from '@jest/globals';
import { isRejection, uuidv5 } from '@lyceum/kernel';
import { subscriptionOf } from '../checkout/cart/placing.plan.ts';
import { decideHolding, decideOrder } from '../ordering/ordering.ts';
import { paymentId } from '../orders/order.ids.ts';
import type { OrderCommand } from '../orders/deciding/order.ts';
import type { PaymentNotice } from '../payments/payment-provider.ts';
import { endPayments, lookAgain } from '../reconciliation/looking.ts';
import { charge } from './charging.ts';
import { lookAgain as lookAgainByTime } from './following.ts';
import { BillingWorld, school } from './testing/billing-world.ts';
import { Interrupted, type Troubles } from './testing/provider-with-books.ts';

const day = 86_400_000;
const well: Troubles = { declines: () => 0, silent: 0, slow: 0, repeated: 0 };
const monthly = { kind: 'recurring', interval: 'month', interval_count: 1, amount: 3_100, currency: 'USD' } as const;

/** A subscription whose renewal is due, and what comes of it by the troubles of its provider. */
async function due(troubles: Partial<Troubles>, passing: () => void = () => undefined) {
  const tax = { inclusive: true, rate_bp: 1_900 };
  const world = new BillingWorld(Date.UTC(2027, 0, 1, 12), () => 0.5, { tax, timezone: 'UTC', troubles: well });
  await world.plan('plan_monthly', monthly);
  const first = await world.buy('account_1', 'plan_monthly');
  await world.pay(first, 'agreement_1');
  await world.turn();
  world.provider.troubles = { ...well, ...troubles };
  world.provider.passing = passing;
  world.clock.advance(31 * day);
  await world.turn();
  const placed = (await world.events()).findLast(({ type }) => type === 'OrderPlaced');
  const id = placed?.stream ?? '';
  const order = async () => (await world.order(id))!;
  const correlation = subscriptionOf(first);
  return { world, id, order, correlation, subscription: (await world.subscription(correlation))! };
}

describe('a payment that a person has open when the agreement is charged', () => {
  let ports: BillingWorld['ports'];
  let given: Awaited<ReturnType<typeof due>>;
  let told: PaymentNotice[];
  const reference = 'cs_1';

  beforeEach(async () => {
    given = await due({ declines: () => 1 });
    const { world, id } = given;
    ({ ports } = world);
    told = [];
    const payment_id = paymentId(id, 2);
    const asked = (step: string) => ({ school, id, commitId: uuidv5('test', step) });
    const { expires_at, holds_until } = await given.order();
    const start = { type: 'StartPayment', order_id: id, payment_id, provider: 'stripe' } as const;
    const end = { expires_at, holds_until };
    const open: OrderCommand = { type: 'OpenPayment', payment_id, reference, url: 'https://pay.example/1' };
    for (const done of [
      await decideHolding(ports, asked('start'), (held, now) => ({ ...start, end, held, now })),
      await decideOrder(ports, asked('open'), () => open),
    ])
      if (isRejection(done)) throw new Error(done.reason);
    world.provider.look = async () => told;
  });

  const again = async () =>
    charge(ports, { school, id: given.id, order: await given.order(), subscription: given.subscription });

  test('counts when it is paid before it is ended', async () => {
    const { world, id, order } = given;
    const { payment_id, amount } = (await order()).payments.at(-1)!;
    const about = { school, order_id: id, payment_id, reference, amount, currency: 'USD', at: world.now };
    world.provider.cancel = async () => void told.push({ ...about, event_id: 'paid_1', kind: 'captured' });
    await again();
    expect(await order()).toMatchObject({ status: 'paid', payments: [{ state: 'failed' }, { state: 'captured' }] });
    expect((await world.events()).filter(({ type }) => type === 'PaymentFailed')).toHaveLength(1);
  });

  test('is not paid once it is ended and nothing came of it', async () => {
    const { world, order } = given;
    const steps: string[] = [];
    world.provider.cancel = async () => void steps.push('cancel');
    world.provider.look = async () => {
      steps.push('look');
      return [];
    };
    await again();
    expect(steps).toEqual(['cancel', 'look']);
    expect(await order()).toMatchObject({ status: 'failed', payments: [{ state: 'failed' }, { state: 'failed' }] });
  });
});

describe('a charge that was made and whose answer was lost', () => {
  let given: Awaited<ReturnType<typeof due>>;
  const known = async () => ({ school, id: given.id, state: await given.order() });

  beforeEach(async () => {
    let times = 0;
    given = await due({}, () => {
      times += 1;
      if (times === 2) throw new Interrupted('the answer is lost');
    });
    expect((await given.order()).payments).toMatchObject([{ state: 'created', reference: null }]);
  });
  const isPaid = async () =>
    expect(await given.order()).toMatchObject({ status: 'paid', payments: [{ state: 'captured' }] });

  test('is found when the provider is asked for what it has not told', async () => {
    await lookAgain(given.world.ports, await known());
    await isPaid();
  });

  test('is found before the order is over', async () => {
    const seen: unknown[] = [];
    await endPayments(given.world.ports, await known(), async () => seen.push((await given.order()).status));
    expect(seen).toEqual(['paid']);
  });

  test('is found by the process of the subscription, a day later', async () => {
    const { world, correlation, id } = given;
    const ordered = { tenant: school, correlation, commitId: uuidv5('test', 'look'), meta: { actor: 'system' } };
    await lookAgainByTime({ ordered, ports: world.ports }, id);
    await isPaid();
  });
});
