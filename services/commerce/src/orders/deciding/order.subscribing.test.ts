import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import {
  about,
  id,
  noticed,
  nothingHeld,
  paidEvent,
  payment_id,
  placing,
  times,
} from '../../testing/orders-of-tests.ts';
import type { OrderEvent } from '../order.events.ts';
import { orderDecider } from './order.ts';

const subscription_id = 'subscription_1';

/** An order for a subscription, at a price. */
function subscribing(price: number) {
  const { order, ...command } = placing([price]);
  const payment = { payment_id, provider: 'test' };
  return { ...command, payment, order: { ...order, subscription_id, saves_agreement: true } };
}

const placed = (price: number): readonly OrderEvent[] => {
  const { order } = subscribing(price);
  return [
    { type: 'OrderPlaced', data: { ...order, number: 1 } },
    { type: 'PaymentStarted', data: { payment_id, provider: 'test', amount: price } },
  ];
};
const fulfillable: OrderEvent = {
  type: 'OrderFulfillable',
  data: { member_id: 'account_1', lines: about(1), subscription_id },
};
const paid = (price: number): OrderEvent => {
  const { data } = paidEvent([price]);
  return { type: 'OrderPaid', data: { ...data, agreement: 'agreement_1' } };
};

describe('an order with which a provider saves an agreement', () => {
  test('that costs nothing waits for it, and is paid with it', () => {
    given(orderDecider)
      .when(subscribing(0))
      .then(...placed(0));
    given(orderDecider, ...placed(0))
      .when(noticed('captured', 0, { agreement: 'agreement_1' }))
      .then(paid(0), fulfillable);
  });

  test('that comes too late has nothing to go back', () =>
    given(orderDecider, ...placed(0), { type: 'OrderCanceled', data: { reason: 'asked for', subscription_id } })
      .when(noticed('captured', 0))
      .then(
        {
          type: 'LatePaymentReturned',
          data: {
            payment_id,
            refund_id: `return_${payment_id}`,
            event_id: 'event_captured',
            amount: 0,
            currency: 'USD',
            reason: 'The order was canceled',
            reference: 'ref_1',
          },
        },
        { type: 'PaymentReturned', data: { payment_id, refund_id: `return_${payment_id}` } },
      ));

  test('and cost nothing is taken back at once', () => {
    const ask = { type: 'RequestRefund', order_id: id, amount: null, line_ids: [], reason: 'asked for' } as const;
    const { state } = given(orderDecider, ...placed(0), paid(0), fulfillable);
    expect(orderDecider.decide({ ...ask, refund_id: 'refund_1', held: nothingHeld }, state)).toMatchObject([
      { type: 'OrderRefunded', data: { amount: 0, full: true, subscription_id, lines: about(1) } },
    ]);
    given(orderDecider, ...placed(0), paid(0), fulfillable)
      .when({ ...ask, amount: 1, refund_id: 'refund_1', held: nothingHeld })
      .rejected('validation_failed');
  });
});

describe('an order of a subscription', () => {
  const failed: OrderEvent = { type: 'PaymentFailed', data: { payment_id, event_id: 'event_failed', subscription_id } };
  const expired: OrderEvent = { type: 'OrderExpired', data: { subscription_id } };

  test('says in what follows whose it is', () =>
    given(orderDecider, ...placed(100))
      .when(noticed('failed', 100))
      .then(failed, { type: 'OrderFailed', data: {} }));

  test('expires when its time is over, also when its payment failed, and before when it is for nothing any more', () => {
    const history = [...placed(100), failed, { type: 'OrderFailed', data: {} }] as const;
    given(orderDecider, ...history)
      .when({ type: 'ExpireOrder', now: times.paid })
      .unchanged();
    given(orderDecider, ...history)
      .when({ type: 'ExpireOrder', now: times.expires })
      .then(expired);
    given(orderDecider, ...history)
      .when({ type: 'ExpireOrder', now: times.paid, over: true })
      .then(expired);
    given(orderDecider, ...placed(100), paid(100), fulfillable)
      .when({ type: 'ExpireOrder', now: times.paid, over: true })
      .unchanged();
  });

  test('knows what the provider calls a payment that it never opened', () => {
    const { state } = given(orderDecider, ...placed(100), paid(100));
    expect(state?.payments[0]).toMatchObject({ state: 'captured', reference: 'ref_1', agreement: 'agreement_1' });
  });

  test('is placed with what is written into other streams', () => {
    const event = { stream: subscription_id, schema: 1, type: 'SubscriptionPlaced', data: {} };
    const after = given(orderDecider, ...placed(100)).state;
    const command = { ...subscribing(100), beside: [event] };
    expect(orderDecider.sideEvents?.(null, after, command)).toContainEqual(event);
  });
});
