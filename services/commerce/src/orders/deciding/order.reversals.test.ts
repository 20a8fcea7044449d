import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import { capacityStream } from '../../capacity/capacity.ts';
import { about, id, noticed, nothingHeld, paidEvent, payment_id, placing } from '../../testing/orders-of-tests.ts';
import type { OrderEvent } from '../order.events.ts';
import type { Held } from '../order.held.ts';
import { lineId, lineOfSource, orderOf } from '../order.ids.ts';
import { type OrderState, refundedOf } from '../order.state.ts';
import { orderDecider } from './order.ts';

const opened: OrderEvent = { type: 'PaymentOpened', data: { payment_id, reference: 'ref_1', url: null } };
const bought = (...prices: number[]): OrderEvent[] => [
  { type: 'OrderPlaced', data: { ...placing(prices).order, number: 1 } },
  { type: 'PaymentStarted', data: { payment_id, provider: 'test', amount: prices.reduce((a, b) => a + b, 0) } },
  opened,
  paidEvent(prices),
  {
    type: 'OrderFulfillable',
    data: { member_id: 'account_1', lines: about(...prices.map((_, index) => index + 1)) },
  },
];
const requested = (refund_id: string, amount: number, ...lines: number[]): OrderEvent => ({
  type: 'RefundRequested',
  data: { refund_id, payment_id, amount, line_ids: lines.map((line) => lineId(id, line)), reason: 'asked' },
});
const refunded = (refund_id: string, amount: number, full: boolean, ...lines: number[]): OrderEvent => ({
  type: 'OrderRefunded',
  data: {
    refund_id,
    payment_id,
    event_id: `done_${refund_id}`,
    amount,
    currency: 'USD',
    full,
    reason: 'asked',
    member_id: 'account_1',
    lines: about(...lines),
  },
});
const failure = (refund_id: string, amount: number, held: Held = nothingHeld) => ({
  ...noticed('refund_failed', amount, { refund_id, event_id: `failed_${refund_id}`, reason: 'lost_or_stolen_card' }),
  held,
});
const failed = (refund_id: string, amount: number): OrderEvent => ({
  type: 'RefundFailed',
  data: {
    refund_id,
    reason: 'lost_or_stolen_card',
    noticed: { event_id: `failed_${refund_id}`, payment_id, amount },
  },
});
const reversed = (refund_id: string, amount: number, ...lines: number[]): OrderEvent => ({
  type: 'RefundReversed',
  data: {
    refund_id,
    payment_id,
    event_id: `failed_${refund_id}`,
    amount,
    currency: 'USD',
    reason: 'lost_or_stolen_card',
    member_id: 'account_1',
    lines: about(...lines).map((line) => ({ ...line, source_id: `${line.line_id}~2` })),
  },
});

const stateAfter = (...events: readonly OrderEvent[]) =>
  events.reduce<OrderState>(
    (state, event, index) => orderDecider.evolve(state, event, { at: '2026-01-05T08:00:00.000Z', version: index + 1 }),
    null,
  );

describe('a refund that fails', () => {
  test('before it was done: the order is paid as before, and can be refunded anew', () => {
    const events = [...bought(100, 200), requested('r1', 300)];
    given(orderDecider, ...events)
      .when(failure('r1', 300))
      .then(failed('r1', 300));
    const state = stateAfter(...events, failed('r1', 300));
    expect(state).toMatchObject({ status: 'paid', refunds: [{ state: 'failed', failure: 'lost_or_stolen_card' }] });
    given(orderDecider, ...events, failed('r1', 300))
      .when({
        type: 'RequestRefund',
        order_id: id,
        refund_id: 'r2',
        amount: null,
        line_ids: [],
        reason: 'asked',
        held: nothingHeld,
      })
      .then(requested('r2', 300));
  });

  test('after it was told as done: nothing is refunded, and the member has all of it again', () => {
    const events = [...bought(100, 200), requested('r1', 300), refunded('r1', 300, true, 1, 2)];
    given(orderDecider, ...events)
      .when(failure('r1', 300))
      .then(reversed('r1', 300, 1, 2));
    const state = stateAfter(...events, reversed('r1', 300, 1, 2));
    expect(state).toMatchObject({ status: 'paid', lines: [{ revoked: false }, { revoked: false }] });
    expect(state && refundedOf(state)).toBe(0);
  });

  test('of one line gives that line again; the other refund stays', () => {
    const events = [
      ...bought(100, 200, 300),
      requested('r1', 100, 1),
      refunded('r1', 100, false, 1),
      requested('r2', 200, 2),
      refunded('r2', 200, false, 2),
    ];
    given(orderDecider, ...events)
      .when(failure('r1', 100))
      .then(reversed('r1', 100, 1));
    const state = stateAfter(...events, reversed('r1', 100, 1));
    expect(state).toMatchObject({
      status: 'partially_refunded',
      lines: [{ revoked: false }, { revoked: true }, { revoked: false }],
    });
    expect(state && refundedOf(state)).toBe(200);
  });

  test('of a part gives again what another took back only because nothing was left', () => {
    const events = [
      ...bought(100, 200),
      requested('r1', 250),
      refunded('r1', 250, false),
      requested('r2', 50, 1),
      refunded('r2', 50, true, 1, 2),
    ];
    given(orderDecider, ...events)
      .when(failure('r1', 250))
      .then(reversed('r1', 250, 2));
    expect(stateAfter(...events, reversed('r1', 250, 2))).toMatchObject({
      status: 'partially_refunded',
      lines: [{ revoked: true }, { revoked: false }],
    });
  });

  test('twice, or told as done once more afterwards, changes nothing', () => {
    const done = noticed('refunded', 300, { refund_id: 'r1', event_id: 'done_r1' });
    const early = [...bought(300), requested('r1', 300), failed('r1', 300)];
    given(orderDecider, ...early)
      .when(failure('r1', 300))
      .unchanged();
    given(orderDecider, ...early)
      .when(done)
      .unchanged();
    const late = [...bought(300), refunded('r1', 300, true, 1), reversed('r1', 300, 1)];
    given(orderDecider, ...late)
      .when(failure('r1', 300))
      .unchanged();
    given(orderDecider, ...late)
      .when(done)
      .unchanged();
  });

  test('that nobody heard of before counts for nothing, also when it is told as done afterwards', () => {
    given(orderDecider, ...bought(300))
      .when(failure('r9', 100))
      .then(failed('r9', 100));
    given(orderDecider, ...bought(300), failed('r9', 100))
      .when(noticed('refunded', 100, { refund_id: 'r9', event_id: 'done_r9' }))
      .unchanged();
  });

  test('of another amount is refused in words', () => {
    const events = [...bought(300), requested('r1', 300)];
    given(orderDecider, ...events)
      .when(failure('r1', 200))
      .then({
        type: 'NoticeRefused',
        data: {
          event_id: 'failed_r1',
          kind: 'refund_failed',
          payment_id,
          amount: 200,
          currency: 'USD',
          reason: '300 were to be paid back, and the failure is of 200',
        },
      });
  });

  test('after a lost dispute gives nothing again: that money is gone', () => {
    const lost: OrderEvent = {
      type: 'OrderDisputeResolved',
      data: { payment_id, event_id: 'lost', won: false, member_id: 'account_1', lines: about(2) },
    };
    const disputed: OrderEvent = { type: 'OrderDisputed', data: { payment_id, event_id: 'd', amount: 300 } };
    const events = [...bought(100, 200), refunded('r1', 100, false, 1), disputed, lost];
    given(orderDecider, ...events)
      .when(failure('r1', 100))
      .then(reversed('r1', 100));
    expect(stateAfter(...events, reversed('r1', 100))).toMatchObject({ status: 'charged_back' });
  });

  test('of a payment that came too late leaves the money here, for the operator', () => {
    const late: OrderEvent = {
      type: 'LatePaymentReturned',
      data: { payment_id, refund_id: 'return_1', event_id: 'e', amount: 300, currency: 'USD', reason: 'late' },
    };
    const events = [...bought(300).slice(0, 3), { type: 'OrderExpired', data: {} } as const, late];
    given(orderDecider, ...events)
      .when(failure('return_1', 300))
      .then(failed('return_1', 300));
    expect(stateAfter(...events, failed('return_1', 300))).toMatchObject({
      status: 'expired',
      refunds: [{ state: 'failed' }],
    });
  });

  test('a second time: the access that is taken back and given is another one each time', () => {
    const events = [...bought(300), refunded('r1', 300, true, 1), reversed('r1', 300, 1)];
    const source_id = `${lineId(id, 1)}~2`;
    expect([lineOfSource(source_id), orderOf(source_id)]).toEqual([lineId(id, 1), id]);
    const again = refunded('r2', 300, true, 1);
    const lines = [{ ...about(1)[0], source_id }];
    const asked = requested('r2', 300);
    const taken = { ...again, data: { ...again.data, lines } } as OrderEvent;
    given(orderDecider, ...events, asked)
      .when(noticed('refunded', 300, { refund_id: 'r2', event_id: 'done_r2' }))
      .then(taken);
    const third = reversed('r2', 300, 1);
    const restored = {
      ...third,
      data: { ...third.data, lines: [{ ...about(1)[0], source_id: `${lineId(id, 1)}~3` }] },
    };
    given(orderDecider, ...events, asked, taken)
      .when(failure('r2', 300))
      .then(restored as OrderEvent);
  });
});

describe('a seat that was given back with a refund', () => {
  const item = { item_type: 'course', item_id: 'course_1' };
  const [first, ...others] = bought(300);
  const withSeat: OrderEvent[] = [
    first?.type === 'OrderPlaced'
      ? { ...first, data: { ...first.data, lines: first.data.lines.map((line) => ({ ...line, seat: true })) } }
      : opened,
    ...others,
    refunded('r1', 300, true, 1),
  ];
  const seats = (limit: number, taken: readonly string[]): Held => ({
    coupon: null,
    seats: [
      {
        ...item,
        line_id: lineId(id, 1),
        stream: capacityStream(item),
        limit,
        state: { limit, holds: {}, taken: Object.fromEntries(taken.map((each) => [each, true])) },
      },
    ],
  });

  test('is taken again when the refund fails, in the same commit', () => {
    const held = seats(2, ['other']);
    const command = failure('r1', 300, held);
    given(orderDecider, ...withSeat)
      .when(command)
      .then(reversed('r1', 300, 1));
    const before = stateAfter(...withSeat);
    const after = stateAfter(...withSeat, reversed('r1', 300, 1));
    expect(orderDecider.sideEvents?.(before, after, command)).toMatchObject([
      { type: 'SeatTaken', data: { request_id: lineId(id, 1), taken: 2 } },
    ]);
  });

  test('is not taken again when somebody else has it: never more than there are', () => {
    const command = failure('r1', 300, seats(1, ['other']));
    given(orderDecider, ...withSeat)
      .when(command)
      .then(reversed('r1', 300));
    const before = stateAfter(...withSeat);
    const after = stateAfter(...withSeat, reversed('r1', 300));
    expect(after).toMatchObject({ status: 'paid', lines: [{ revoked: true }] });
    expect(orderDecider.sideEvents?.(before, after, command)).toEqual([]);
  });
});
