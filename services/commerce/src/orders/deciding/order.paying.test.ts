import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import { capacityStream } from '../../capacity/capacity.ts';
import { about, id, noticed, paidEvent, payment_id, placing, starting, times } from '../../testing/orders-of-tests.ts';
import type { OrderEvent } from '../order.events.ts';
import { paymentId } from '../order.ids.ts';
import { orderDecider } from './order.ts';

const [prices, second] = [[100], paymentId(id, 2)];
const placed: readonly OrderEvent[] = [
  { type: 'OrderPlaced', data: { ...placing(prices).order, number: 1 } },
  { type: 'PaymentStarted', data: { payment_id, provider: 'test', amount: 100 } },
];
const opened: OrderEvent = { type: 'PaymentOpened', data: { payment_id, reference: 'ref_1', url: null } };
const pending = [...placed, opened];
const processing: OrderEvent = { type: 'PaymentProcessing', data: { payment_id, event_id: 'event_processing' } };
const failure: OrderEvent = { type: 'PaymentFailed', data: { payment_id, event_id: 'event_failed' } };
const failed: OrderEvent = { type: 'OrderFailed', data: {} };
const until = (expires_at: string, holds_until: string): OrderEvent => ({
  type: 'PaymentTimeSet',
  data: { expires_at, holds_until },
});
/** 14 days after it was told. */
const waiting = until('2026-01-19T08:10:00.000Z', '2026-01-19T08:20:00.000Z');
const fulfillable: OrderEvent = { type: 'OrderFulfillable', data: { member_id: 'account_1', lines: about(1) } };
const paid = paidEvent(prices);

describe('a payment that the provider never takes', () => {
  test('has failed with words, and the order waits for another one', () => {
    const fail = { type: 'FailPayment', payment_id, reason: 'too small' } as const;
    const data = { payment_id, event_id: `refused_${payment_id}`, reason: 'too small' };
    given(orderDecider, ...placed)
      .when(fail)
      .then({ type: 'PaymentFailed', data }, failed);
    given(orderDecider, ...pending)
      .when(fail)
      .unchanged();
    given(orderDecider, ...placed, { type: 'PaymentFailed', data }, failed)
      .when(fail)
      .unchanged();
    expect(given(orderDecider, ...placed, { type: 'PaymentFailed', data }, failed).state).toMatchObject({
      status: 'failed',
      payments: [{ state: 'failed', failure: 'too small' }],
    });
  });
});

describe('another payment', () => {
  const started = (provider: string): OrderEvent => ({
    type: 'PaymentStarted',
    data: { payment_id: second, provider, amount: 100 },
  });
  const days = { expires_at: '2026-01-12T08:00:00.000Z', holds_until: '2026-01-16T08:00:00.000Z' };

  test('by another provider takes the place of one that could still be paid, and makes the time longer', () => {
    given(orderDecider, ...pending)
      .when(starting({ provider: 'manual', end: days }))
      .then(started('manual'), until(days.expires_at, days.holds_until));
    given(orderDecider, ...pending)
      .when(starting())
      .unchanged();
  });

  test('of a guest makes the time to pay longer, and nothing is held longer: also where nothing is held any more', () => {
    const item = { item_type: 'course', item_id: 'course_1' };
    const order = placing(prices, 'guest').order;
    const lines = order.lines.map((line) => ({ ...line, seat: true }));
    const guests: readonly OrderEvent[] = [
      { type: 'OrderPlaced', data: { ...order, lines, number: 1 } },
      { type: 'PaymentStarted', data: { payment_id, provider: 'test', amount: 100 } },
      opened,
    ];
    const own = { [`${id}.1`]: times.gone };
    for (const state of [
      { limit: 1, holds: own, taken: {} },
      { limit: 1, holds: {}, taken: { other: true } },
    ] as const) {
      const seat = { ...item, line_id: `${id}.1`, stream: capacityStream(item), state, limit: 1 };
      const start = starting({ provider: 'manual', end: days, held: { seats: [seat], coupon: null } });
      const then = given(orderDecider, ...guests).when(start);
      then.then(started('manual'), until(days.expires_at, days.holds_until));
      const before = given(orderDecider, ...guests).state;
      const after = given(orderDecider, ...guests, started('manual'), until(days.expires_at, days.holds_until)).state;
      expect(orderDecider.sideEvents?.(before, after, start)).toEqual([]);
    }
  });

  test('never makes the time shorter', () =>
    given(orderDecider, ...pending, failure, failed, until(days.expires_at, days.holds_until))
      .when(starting())
      .then(started('test')));

  test('is refused while money is on its way', () =>
    given(orderDecider, ...pending, processing, waiting)
      .when(starting({ provider: 'manual' }))
      .rejected('invalid_state'));

  test('is refused when what was held is gone', () => {
    const item = { item_type: 'course', item_id: 'course_1' };
    const seats = { limit: 1, holds: {}, taken: { other: true } } as const;
    const seat = { ...item, line_id: `${id}.1`, stream: capacityStream(item), state: seats, limit: 1 };
    given(orderDecider, ...pending)
      .when(starting({ provider: 'manual', end: days, held: { seats: [seat], coupon: null } }))
      .rejected('sold_out');
  });
});

describe('money that is on its way', () => {
  test('is waited for beyond the time to pay, and counts when it comes', () => {
    given(orderDecider, ...pending)
      .when(noticed('processing', 100))
      .then(processing, waiting);
    given(orderDecider, ...pending, processing, waiting)
      .when(noticed('processing', 100))
      .unchanged();
    given(orderDecider, ...pending, processing, waiting)
      .when({ type: 'ExpireOrder', now: times.gone })
      .unchanged();
    given(orderDecider, ...pending, processing, waiting)
      .when(noticed('captured', 100))
      .then(paid, fulfillable);
    given(orderDecider, ...pending, processing, waiting, paid, fulfillable)
      .when(noticed('processing', 100))
      .unchanged();
  });

  test('that does not come leaves half an hour to pay otherwise', () => {
    given(orderDecider, ...pending, processing, waiting)
      .when(noticed('failed', 100, { now: '2026-01-10T08:00:00.000Z' }))
      .then(failure, failed, until('2026-01-10T08:30:00.000Z', '2026-01-10T08:40:00.000Z'));
  });

  test('that does not come leaves the time that the order was placed with', () => {
    const days = { expires_at: '2026-02-04T08:00:00.000Z', holds_until: '2026-02-05T08:00:00.000Z' };
    const renewal: readonly OrderEvent[] = [
      { type: 'OrderPlaced', data: { ...placing(prices).order, ...days, source: 'renewal', number: 1 } },
      ...pending.slice(1),
    ];
    given(orderDecider, ...renewal)
      .when(noticed('processing', 100))
      .then(processing);
    given(orderDecider, ...renewal, processing)
      .when(noticed('failed', 100, { now: '2026-01-10T08:00:00.000Z' }))
      .then(failure, failed);
    // It was told so late that it was waited for longer than that.
    const longer = until('2026-02-17T08:00:00.000Z', '2026-02-17T08:10:00.000Z');
    given(orderDecider, ...renewal, processing, longer)
      .when(noticed('failed', 100, { now: '2026-02-04T07:50:00.000Z' }))
      .then(failure, failed, until('2026-02-04T08:20:00.000Z', days.holds_until));
  });

  test('is told of an order that is over: nothing is held for it, and the money goes back when it comes', () => {
    const expired: OrderEvent = { type: 'OrderExpired', data: {} };
    given(orderDecider, ...pending, expired)
      .when(noticed('processing', 100))
      .then(processing);
    const { state } = given(orderDecider, ...pending, expired, processing);
    expect(orderDecider.decide(noticed('captured', 100, { now: times.gone }), state)).toMatchObject([
      { type: 'LatePaymentReturned' },
    ]);
  });
});

describe('a second bank transfer for a payment', () => {
  const byBank = { provider: 'manual' } as const;
  const started: OrderEvent = { type: 'PaymentStarted', data: { payment_id, provider: 'manual', amount: 100 } };
  const [order] = placed;
  const waits: readonly OrderEvent[] = [...(order ? [order] : []), started, opened];
  const bought: readonly OrderEvent[] = [...waits, { ...paid, data: { ...paid.data, ...byBank } }, fulfillable];
  const refused: OrderEvent = {
    type: 'NoticeRefused',
    data: {
      event_id: 'bank_2',
      kind: 'captured',
      payment_id,
      amount: 100,
      currency: 'USD',
      reason: 'Paid already, by event_captured: this is another transfer, and nobody waits for it',
    },
  };

  test('is refused in words, once, and the first one changes nothing', () => {
    given(orderDecider, ...bought)
      .when(noticed('captured', 100, { ...byBank, event_id: 'bank_2' }))
      .then(refused);
    given(orderDecider, ...bought, refused)
      .when(noticed('captured', 100, { ...byBank, event_id: 'bank_2' }))
      .unchanged();
    given(orderDecider, ...bought)
      .when(noticed('captured', 100, byBank))
      .unchanged();
  });

  test('is refused as well where the first one came too late', () => {
    const canceled: OrderEvent = { type: 'OrderCanceled', data: { reason: 'asked for' } };
    const { state } = given(orderDecider, ...waits, canceled);
    const late = orderDecider.decide(noticed('captured', 100, byBank), state);
    if (!Array.isArray(late)) throw new Error('the money is not returned');
    given(orderDecider, ...waits, canceled, ...late)
      .when(noticed('captured', 100, { ...byBank, event_id: 'bank_2' }))
      .then(refused);
  });
});

describe('a dispute that is told before its payment', () => {
  const early = (kind: 'disputed' | 'dispute_won' | 'dispute_lost'): OrderEvent => ({
    type: 'DisputeNoticed',
    data: { payment_id, event_id: `event_${kind}`, kind, amount: 100 },
  });
  const disputed: OrderEvent = { type: 'OrderDisputed', data: { payment_id, event_id: 'event_disputed', amount: 100 } };

  test('is kept, once', () => {
    for (const kind of ['disputed', 'dispute_won', 'dispute_lost'] as const) {
      given(orderDecider, ...pending)
        .when(noticed(kind, 100))
        .then(early(kind));
      given(orderDecider, ...pending, early(kind))
        .when(noticed(kind, 100))
        .unchanged();
    }
  });

  test('counts with the payment', () =>
    given(orderDecider, ...pending, early('disputed'))
      .when(noticed('captured', 100))
      .then(paid, disputed, fulfillable));

  test('and was lost takes back what was bought: nobody has it', () => {
    const member_id = 'account_1';
    given(orderDecider, ...pending, early('dispute_lost'), early('disputed'))
      .when(noticed('captured', 100))
      .then(paid, disputed, {
        type: 'OrderDisputeResolved',
        data: { payment_id, event_id: 'event_dispute_lost', won: false, member_id, lines: about(1) },
      });
  });

  test('of money that goes back already is for the operator', () => {
    const canceled: OrderEvent = { type: 'OrderCanceled', data: { reason: 'asked for' } };
    const late = orderDecider.decide(noticed('captured', 100), given(orderDecider, ...pending, canceled).state);
    if (!Array.isArray(late)) throw new Error('the money is not returned');
    const { state } = given(orderDecider, ...pending, canceled, ...late);
    expect(orderDecider.decide(noticed('disputed', 100), state)).toMatchObject([{ type: 'NoticeRefused' }]);
  });
});

describe('a notice that was refused', () => {
  const refused = (event_id: string): OrderEvent => ({
    type: 'NoticeRefused',
    data: { event_id, kind: 'captured', payment_id, amount: 1, currency: 'USD', reason: 'No' },
  });
  const dismiss = { type: 'DismissNotice', event_id: 'event_x' } as const;
  const dismissed: OrderEvent = { type: 'NoticeDismissed', data: { event_id: 'event_x' } };

  test('is dismissed by the operator, once', () => {
    given(orderDecider, ...pending, refused('event_x'))
      .when(dismiss)
      .then(dismissed);
    given(orderDecider, ...pending, refused('event_x'), dismissed)
      .when(dismiss)
      .unchanged();
    given(orderDecider, ...pending)
      .when(dismiss)
      .rejected('not_found');
  });

  test('is one of fifty at most', () => {
    const many = Array.from({ length: 50 }, (_, index) => refused(`event_${index}`));
    given(orderDecider, ...pending, ...many)
      .when(noticed('captured', 1, { event_id: 'one more' }))
      .unchanged();
  });
});
