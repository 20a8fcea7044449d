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
  starting,
  times,
} from '../../testing/orders-of-tests.ts';
import type { OrderEvent } from '../order.events.ts';
import { paymentId } from '../order.ids.ts';
import { orderDecider } from './order.ts';

const placed = (prices: readonly number[], buyer: 'member' | 'guest' = 'member'): OrderEvent[] => [
  { type: 'OrderPlaced', data: { ...placing(prices, buyer).order, number: 1 } },
  ...(prices.some((price) => price > 0)
    ? [
        {
          type: 'PaymentStarted',
          data: { payment_id, provider: 'test', amount: prices.reduce((a, b) => a + b, 0) },
        } as const,
      ]
    : []),
];
const opened: OrderEvent = { type: 'PaymentOpened', data: { payment_id, reference: 'ref_1', url: null } };
const fulfillable = (...numbers: number[]): OrderEvent => ({
  type: 'OrderFulfillable',
  data: { member_id: 'account_1', lines: about(...numbers) },
});
const bought = (...prices: number[]) => [
  ...placed(prices),
  opened,
  paidEvent(prices),
  fulfillable(...prices.map((_, index) => index + 1)),
];
const refunded = (amount: number, full: boolean, lines: readonly number[], more: object = {}): OrderEvent => ({
  type: 'OrderRefunded',
  data: {
    refund_id: 'event_refunded',
    payment_id,
    event_id: 'event_refunded',
    amount,
    currency: 'USD',
    full,
    reason: 'provider',
    member_id: 'account_1',
    lines: about(...lines),
    ...more,
  },
});
const refused = (reason: string, more: object = {}) => ({
  type: 'NoticeRefused' as const,
  data: { event_id: 'event_captured', kind: 'captured', payment_id, amount: 100, currency: 'USD', reason, ...more },
});

describe('placing an order', () => {
  test('numbers it and wants its payment', () => {
    given(orderDecider)
      .when(placing([100, 200]))
      .then(...placed([100, 200]));
    given(orderDecider, ...placed([100]))
      .when(placing([100]))
      .rejected('invalid_state');
  });

  test('with nothing to pay pays it at once, and lets a member have it', () => {
    const nothing = { payment_id: null, provider: 'none', event_id: '', paid_at: times.placed };
    const { reference: _reference, ...data } = paidEvent([0]).data;
    given(orderDecider)
      .when(placing([0]))
      .then(...placed([0]), { type: 'OrderPaid', data: { ...data, ...nothing } } as OrderEvent, fulfillable(1));
  });

  test('whose lines do not add up is a mistake of the program', () => {
    const wrong = placing([100]);
    expect(() => given(orderDecider).when({ ...wrong, order: { ...wrong.order, total: 99 } })).toThrow('totals');
  });
});

describe('a payment', () => {
  const pending = [...placed([100]), opened];

  test('is opened once, and captured once however often that is said', () => {
    const open = { type: 'OpenPayment', payment_id, reference: 'ref_1', url: null } as const;
    given(orderDecider, ...placed([100]))
      .when(open)
      .then(opened);
    given(orderDecider, ...pending)
      .when(open)
      .unchanged();
    given(orderDecider, ...pending)
      .when(noticed('captured', 100))
      .then(paidEvent([100]), fulfillable(1));
    for (const event_id of ['event_captured', 'event_2'])
      given(orderDecider, ...bought(100))
        .when(noticed('captured', 100, { event_id }))
        .unchanged();
  });

  test.each([
    ['another amount', { amount: 1 }, '100 were to be paid, and 1 were (minor units of USD)'],
    ['a foreign currency', { currency: 'EUR' }, 'The order is in USD, and this is in EUR'],
    ['another payment', { payment_id: 'payment_x' }, 'The order has no such payment'],
    ['another reference', { reference: 'ref_2' }, 'The provider calls this payment otherwise'],
    ['another provider', { provider: 'manual' }, 'The payment is one of test, and manual says it'],
  ] as const)('with %s is refused with words, once', (_, more, reason) => {
    const { provider: _provider, ...said } = { provider: '', ...more };
    const { reference: _reference, ...kept } = { reference: '', ...said };
    const event = refused(reason, kept);
    given(orderDecider, ...pending)
      .when(noticed('captured', 100, more))
      .then(event);
    given(orderDecider, ...pending, event)
      .when(noticed('captured', 100, more))
      .unchanged();
  });

  test('that fails leaves the order to be paid again; a late failure of the older one says nothing', () => {
    const failure: OrderEvent = { type: 'PaymentFailed', data: { payment_id, event_id: 'event_failed' } };
    const failed: OrderEvent = { type: 'OrderFailed', data: {} };
    given(orderDecider, ...pending)
      .when(noticed('failed', 100))
      .then(failure, failed);
    const again = { payment_id: paymentId(id, 2), provider: 'test' };
    const started: OrderEvent = { type: 'PaymentStarted', data: { ...again, amount: 100 } };
    const start = starting(again);
    given(orderDecider, ...pending, failure, failed)
      .when(start)
      .then(started);
    given(orderDecider, ...pending, failure, failed)
      .when({ ...start, now: times.expires })
      .rejected('invalid_state');
    given(orderDecider, ...pending, failure, failed, started)
      .when(noticed('failed', 100))
      .unchanged();
    given(orderDecider, ...pending, started)
      .when(noticed('failed', 100))
      .then(failure);
    given(orderDecider, ...bought(100))
      .when(noticed('failed', 100))
      .unchanged();
    given(orderDecider, ...bought(100))
      .when(start)
      .rejected('invalid_state');
  });

  test('is begun anew only once it failed, and ten times at most', () => {
    const start = starting();
    given(orderDecider, ...pending)
      .when(start)
      .unchanged();
    const failures = Array.from({ length: 9 }, (_, index): readonly OrderEvent[] => [
      { type: 'PaymentFailed', data: { payment_id: paymentId(id, index + 1), event_id: `event_${index + 1}` } },
      { type: 'OrderFailed', data: {} },
      { type: 'PaymentStarted', data: { payment_id: paymentId(id, index + 2), provider: 'test', amount: 100 } },
    ]).flat();
    const last: readonly OrderEvent[] = [
      { type: 'PaymentFailed', data: { payment_id: paymentId(id, 10), event_id: 'event_10' } },
      { type: 'OrderFailed', data: {} },
    ];
    given(orderDecider, ...pending, ...failures, ...last)
      .when({ ...start, payment_id: paymentId(id, 11) })
      .rejected('invalid_state');
  });

  test('is not opened for an order that was canceled meanwhile', () =>
    given(orderDecider, ...placed([100]), { type: 'OrderCanceled', data: { reason: 'asked for' } })
      .when({ type: 'OpenPayment', payment_id, reference: 'session_1', url: null })
      .unchanged());

  test('of an older session counts, and the second that comes goes back', () => {
    const second = paymentId(id, 2);
    const started: OrderEvent = { type: 'PaymentStarted', data: { payment_id: second, provider: 'test', amount: 100 } };
    given(orderDecider, ...pending, started)
      .when(noticed('captured', 100))
      .then(paidEvent([100]), fulfillable(1));
    given(orderDecider, ...pending, started, paidEvent([100]))
      .when({ ...noticed('captured', 100, { payment_id: second, event_id: 'event_2' }) })
      .then(
        {
          type: 'LatePaymentReturned',
          data: {
            payment_id: second,
            refund_id: `return_${second}`,
            event_id: 'event_2',
            amount: 100,
            currency: 'USD',
            reason: 'The order is paid already',
            reference: 'ref_1',
          },
        },
        fulfillable(1),
      );
  });
});

describe('the time to pay', () => {
  const expired: OrderEvent = { type: 'OrderExpired', data: {} };
  const pending = [...placed([100]), opened];

  test('is over when it is, and not before', () => {
    given(orderDecider, ...pending)
      .when({ type: 'ExpireOrder', now: times.paid })
      .unchanged();
    given(orderDecider, ...pending)
      .when({ type: 'ExpireOrder', now: times.expires })
      .then(expired);
    given(orderDecider, ...bought(100))
      .when({ type: 'ExpireOrder', now: times.expires })
      .unchanged();
  });

  test('does not matter to money that comes while everything is still held', () => {
    given(orderDecider, ...pending, expired)
      .when(noticed('captured', 100, { now: times.late }))
      .then(
        { ...paidEvent([100]), data: { ...paidEvent([100]).data, paid_at: times.late } } as OrderEvent,
        fulfillable(1),
      );
  });

  test('sends money back that comes afterwards, and knows when it has gone', () => {
    const refund_id = `return_${payment_id}`;
    const late: OrderEvent = {
      type: 'LatePaymentReturned',
      data: {
        payment_id,
        refund_id,
        event_id: 'event_captured',
        amount: 100,
        currency: 'USD',
        reason: 'The money came after the time to pay, when nothing was held for the order any more',
        reference: 'ref_1',
      },
    };
    const returned: OrderEvent = { type: 'PaymentReturned', data: { payment_id, refund_id } };
    given(orderDecider, ...pending, expired)
      .when(noticed('captured', 100, { now: times.gone }))
      .then(late);
    given(orderDecider, ...pending, expired, late)
      .when(noticed('captured', 100))
      .unchanged();
    given(orderDecider, ...pending, expired, late)
      .when({ type: 'RecordReturn', refund_id })
      .then(returned);
    given(orderDecider, ...pending, expired, late, returned)
      .when({ type: 'RecordReturn', refund_id })
      .unchanged();
    given(orderDecider, ...pending, expired, late)
      .when(noticed('refunded', 100))
      .then(returned);
    given(orderDecider, ...pending, expired, late, returned)
      .when(noticed('refunded', 100))
      .unchanged();
  });

  test('ends at once when the order is canceled', () => {
    const cancel = { type: 'CancelOrder', order_id: id, reason: 'asked for', held: nothingHeld } as const;
    const canceled: OrderEvent = { type: 'OrderCanceled', data: { reason: 'asked for' } };
    given(orderDecider, ...pending)
      .when(cancel)
      .then(canceled);
    given(orderDecider, ...pending, canceled)
      .when(cancel)
      .unchanged();
    given(orderDecider, ...bought(100))
      .when(cancel)
      .rejected('invalid_state');
    const { state } = given(orderDecider, ...pending, canceled);
    expect(orderDecider.decide(noticed('captured', 100), state)).toMatchObject([
      { type: 'LatePaymentReturned', data: { reason: 'The order was canceled' } },
    ]);
  });
});

describe('a refund', () => {
  const request = (more: object = {}) =>
    ({
      type: 'RequestRefund',
      order_id: id,
      refund_id: 'refund_1',
      amount: null,
      line_ids: [],
      reason: 'asked for',
      held: nothingHeld,
      ...more,
    }) as const;
  const requested = (amount: number, line_ids: readonly string[] = []): OrderEvent => ({
    type: 'RefundRequested',
    data: { refund_id: 'refund_1', payment_id, amount, line_ids: [...line_ids], reason: 'asked for' },
  });
  const lineIds = about(1, 2).map(({ line_id }) => line_id);

  test('is of all that is left, of lines, or of an amount', () => {
    given(orderDecider, ...bought(100, 200))
      .when(request())
      .then(requested(300));
    given(orderDecider, ...bought(100, 200))
      .when(request({ line_ids: [lineIds[0]] }))
      .then(requested(100, [lineIds[0]!]));
    given(orderDecider, ...bought(100, 200))
      .when(request({ amount: 50 }))
      .then(requested(50));
    given(orderDecider, ...bought(100), requested(100))
      .when(request())
      .unchanged();
  });

  test('is never of more than was paid, of what is not paid, or of lines that there are not', () => {
    given(orderDecider, ...bought(100))
      .when(request({ amount: 101 }))
      .rejected('validation_failed');
    given(orderDecider, ...bought(100), requested(60))
      .when(request({ refund_id: 'r', amount: 41 }))
      .rejected('validation_failed');
    given(orderDecider, ...placed([100]))
      .when(request())
      .rejected('invalid_state');
    given(orderDecider, ...bought(100))
      .when(request({ line_ids: ['order_x.1'] }))
      .rejected('validation_failed');
    given(orderDecider).when(request()).rejected('not_found');
  });

  test('is asked for once for each line, and anew when it failed', () => {
    const first = requested(100, [lineIds[0]!]);
    const again = request({ refund_id: 'refund_2', line_ids: [lineIds[0]] });
    given(orderDecider, ...bought(100, 200), first)
      .when(again)
      .rejected('validation_failed');
    given(orderDecider, ...bought(100, 200), first)
      .when(request({ refund_id: 'refund_2', line_ids: [...lineIds] }))
      .rejected('validation_failed');
    const asked = (amount: number, line_ids: string[]): OrderEvent => ({
      type: 'RefundRequested',
      data: { refund_id: 'refund_2', payment_id, amount, line_ids, reason: 'asked for' },
    });
    given(orderDecider, ...bought(100, 200), first)
      .when(request({ refund_id: 'refund_2', line_ids: [lineIds[1]] }))
      .then(asked(200, [lineIds[1]!]));
    given(orderDecider, ...bought(100, 200), first)
      .when(request({ refund_id: 'refund_2' }))
      .then(asked(200, []));
    const failed: OrderEvent = { type: 'RefundFailed', data: { refund_id: 'refund_1', reason: 'no money' } };
    given(orderDecider, ...bought(100, 200), first, failed)
      .when(again)
      .then(asked(100, [lineIds[0]!]));
  });

  test('takes back its lines when the provider has paid, and all of them with the last of the money', () => {
    const back = { refund_id: 'refund_1' };
    given(orderDecider, ...bought(100, 200), requested(100, [lineIds[0]!]))
      .when(noticed('refunded', 100, back))
      .then(refunded(100, false, [1], { ...back, reason: 'asked for' }));
    given(orderDecider, ...bought(100, 200), requested(100, [lineIds[0]!]), refunded(100, false, [1], back))
      .when(noticed('refunded', 200, { event_id: 'event_refunded' }))
      .then(refunded(200, true, [2]));
    const { state } = given(orderDecider, ...bought(100, 200), refunded(50, false, []));
    expect(state).toMatchObject({ status: 'partially_refunded', lines: [{ revoked: false }, { revoked: false }] });
  });

  test('counts once, and one of more than was paid is refused', () => {
    given(orderDecider, ...bought(100), refunded(100, true, [1]))
      .when(noticed('refunded', 100))
      .unchanged();
    const { state } = given(orderDecider, ...bought(100), refunded(60, false, []));
    expect(orderDecider.decide(noticed('refunded', 41, { event_id: 'event_2' }), state)).toMatchObject([
      { type: 'NoticeRefused', data: { reason: 'More was paid back than was paid' } },
    ]);
  });

  test('that comes before its payment counts with it: nobody has anything then', () => {
    const pending = [...placed([100]), opened];
    const early: OrderEvent = {
      type: 'RefundNoticed',
      data: { refund_id: 'event_refunded', payment_id, event_id: 'event_refunded', amount: 100 },
    };
    given(orderDecider, ...pending)
      .when(noticed('refunded', 100))
      .then(early);
    given(orderDecider, ...pending, early)
      .when(noticed('refunded', 100))
      .unchanged();
    given(orderDecider, ...pending, early)
      .when(noticed('captured', 100))
      .then(paidEvent([100]), refunded(100, true, [1]));
  });

  test('that the provider refuses leaves everything as it was', () => {
    const fail = { type: 'FailRefund', refund_id: 'refund_1', reason: 'no money' } as const;
    const failed: OrderEvent = { type: 'RefundFailed', data: { refund_id: 'refund_1', reason: 'no money' } };
    given(orderDecider, ...bought(100), requested(100))
      .when(fail)
      .then(failed);
    given(orderDecider, ...bought(100), requested(100), failed)
      .when(fail)
      .unchanged();
    given(orderDecider, ...bought(100), requested(100), failed)
      .when(request({ refund_id: 'refund_2' }))
      .then({
        ...requested(100),
        data: { refund_id: 'refund_2', payment_id, amount: 100, line_ids: [], reason: 'asked for' },
      } as OrderEvent);
  });

  test('of an order that cost nothing takes it back at once', () => {
    const { state } = given(orderDecider, ...placed([0]), paidEvent([0]), fulfillable(1));
    expect(orderDecider.decide(request(), state)).toMatchObject([
      { type: 'OrderRefunded', data: { amount: 0, full: true, lines: about(1) } },
    ]);
  });
});

describe('a dispute', () => {
  const disputed: OrderEvent = { type: 'OrderDisputed', data: { payment_id, event_id: 'event_disputed', amount: 100 } };
  const resolved = (won: boolean): OrderEvent => ({
    type: 'OrderDisputeResolved',
    data: {
      payment_id,
      event_id: won ? 'event_dispute_won' : 'event_dispute_lost',
      won,
      member_id: 'account_1',
      lines: won ? [] : about(1),
    },
  });

  test('leaves what was bought until it is lost, and gives it back to nobody when it is won', () => {
    given(orderDecider, ...bought(100))
      .when(noticed('disputed', 100))
      .then(disputed);
    given(orderDecider, ...bought(100), disputed)
      .when(noticed('disputed', 100))
      .unchanged();
    given(orderDecider, ...bought(100), disputed)
      .when(noticed('dispute_won', 100))
      .then(resolved(true));
    given(orderDecider, ...bought(100), disputed)
      .when(noticed('dispute_lost', 100))
      .then(resolved(false));
    expect(given(orderDecider, ...bought(100), disputed).state?.status).toBe('disputed');
    expect(given(orderDecider, ...bought(100), disputed, resolved(true)).state?.status).toBe('paid');
    expect(given(orderDecider, ...bought(100), disputed, resolved(false)).state).toMatchObject({
      status: 'charged_back',
      lines: [{ revoked: true }],
    });
  });
});

describe('the buyer', () => {
  test('who is a guest has nothing before the school says which member it is', () => {
    const guest = [...placed([100], 'guest'), opened];
    const paid = paidEvent([100], null);
    const attached: OrderEvent = { type: 'OrderBuyerAttached', data: { member_id: 'account_1' } };
    const attach = { type: 'AttachBuyer', member_id: 'account_1' } as const;
    given(orderDecider, ...guest)
      .when(noticed('captured', 100))
      .then(paid);
    given(orderDecider, ...guest, paid)
      .when(attach)
      .then(attached, fulfillable(1));
    given(orderDecider, ...guest, paid, attached, fulfillable(1))
      .when(attach)
      .unchanged();
    given(orderDecider, ...guest, paid, attached)
      .when({ ...attach, member_id: 'account_2' })
      .rejected('invalid_state');
  });

  test('has what is not taken back, and the order is fulfilled with the last of it', () => {
    const line = (number: number) => ({ type: 'FulfilLine', line_id: about(number)[0]!.line_id }) as const;
    const has = (number: number): OrderEvent => ({
      type: 'OrderLineFulfilled',
      data: { line_id: about(number)[0]!.line_id },
    });
    const all: OrderEvent = { type: 'OrderFulfilled', data: {} };
    given(orderDecider, ...bought(100, 200))
      .when(line(1))
      .then(has(1));
    given(orderDecider, ...bought(100, 200), has(1))
      .when(line(1))
      .unchanged();
    given(orderDecider, ...bought(100, 200), has(1))
      .when(line(2))
      .then(has(2), all);
    given(orderDecider, ...bought(100, 200), refunded(200, false, [2]))
      .when(line(1))
      .then(has(1), all);
    given(orderDecider, ...placed([100]))
      .when(line(1))
      .unchanged();
  });
});
