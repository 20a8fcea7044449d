import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import { about, noticed, nothingHeld, paidEvent, payment_id, placing } from '../../testing/orders-of-tests.ts';
import type { OrderData, OrderEvent } from '../order.events.ts';
import type { OrderState } from '../order.state.ts';
import { orderDecider } from './order.ts';

const time = '2026-01-05T08:00:00.000Z';
const placed = (buyer: 'member' | 'guest', ...prices: number[]): OrderEvent[] => [
  { type: 'OrderPlaced', data: { ...placing(prices, buyer).order, number: 1 } },
  { type: 'PaymentStarted', data: { payment_id, provider: 'test', amount: prices.reduce((a, b) => a + b, 0) } },
  { type: 'PaymentOpened', data: { payment_id, reference: 'ref_1', url: null } },
];
const fulfillable = (...lines: OrderData<'OrderFulfillable'>['lines']): OrderEvent => ({
  type: 'OrderFulfillable',
  data: { member_id: 'account_1', lines },
});
const bought = (...prices: number[]): OrderEvent[] => [
  ...placed('member', ...prices),
  paidEvent(prices),
  fulfillable(...about(...prices.map((_, index) => index + 1))),
];
const again = (number: number, times = 2) =>
  about(number).map((line) => ({ ...line, source_id: `${line.line_id}~${times}` }));

const disputed = (amount: number, lines: OrderData<'OrderDisputed'>['lines'], member_id: string | null = 'account_1') =>
  ({
    type: 'OrderDisputed',
    data: { payment_id, event_id: 'event_disputed', amount, ...(lines ? { member_id, lines } : {}) },
  }) as const satisfies OrderEvent;
const resolved = (won: boolean, more: Partial<OrderData<'OrderDisputeResolved'>> = {}): OrderEvent => ({
  type: 'OrderDisputeResolved',
  data: {
    payment_id,
    event_id: won ? 'event_dispute_won' : 'event_dispute_lost',
    won,
    member_id: 'account_1',
    lines: [],
    ...more,
  },
});
const dispute = (amount: number, suspends = true) => ({ ...noticed('disputed', amount), suspends });
const stateAfter = (...events: readonly OrderEvent[]) =>
  events.reduce<OrderState>(
    (state, event, index) => orderDecider.evolve(state, event, { at: time, version: index + 1 }),
    null,
  );

describe('an order whose payment is disputed', () => {
  test('keeps its access where the school lets it', () =>
    given(orderDecider, ...bought(100))
      .when(dispute(100, false))
      .then(disputed(100, undefined)));

  test('lets what it was for rest where the school wants it so, but for what was taken back', () => {
    given(orderDecider, ...bought(100, 200))
      .when(dispute(300))
      .then(disputed(300, about(1, 2)));
    const back: OrderEvent = {
      type: 'OrderRefunded',
      data: {
        refund_id: 'r',
        payment_id,
        event_id: 'r',
        amount: 100,
        currency: 'USD',
        full: false,
        reason: 'asked',
        member_id: 'account_1',
        lines: about(1),
      },
    };
    given(orderDecider, ...bought(100, 200), back)
      .when(dispute(200))
      .then(disputed(200, about(2)));
  });

  test('gives it again when the dispute is won, under another source, and since when it rested', () => {
    const events = [...bought(100, 200), disputed(300, about(1, 2))];
    given(orderDecider, ...events)
      .when(noticed('dispute_won', 300))
      .then(resolved(true, { restored: [...again(1), ...again(2)], since: time }));
    const state = stateAfter(...events, resolved(true, { restored: [...again(1), ...again(2)], since: time }));
    expect(state).toMatchObject({ status: 'paid', lines: [{ access: 2 }, { access: 2 }] });
    expect(state).not.toHaveProperty('suspended_at');
    expect(state?.lines.some(({ suspended }) => suspended)).toBe(false);
  });

  test('can be disputed anew afterwards, and is taken back by the source that counts', () => {
    const events = [...bought(100), disputed(100, about(1)), resolved(true, { restored: again(1), since: time })];
    const anew = { ...dispute(100), notice: { ...dispute(100).notice, event_id: 'event_anew' } };
    given(orderDecider, ...events)
      .when(anew)
      .then({ type: 'OrderDisputed', data: { ...disputed(100, again(1)).data, event_id: 'event_anew' } });
    given(orderDecider, ...events)
      .when(noticed('refunded', 100))
      .then({
        type: 'OrderRefunded',
        data: {
          refund_id: 'event_refunded',
          payment_id,
          event_id: 'event_refunded',
          amount: 100,
          currency: 'USD',
          full: true,
          reason: 'provider',
          member_id: 'account_1',
          lines: again(1),
        },
      });
  });

  test('is taken back when the dispute is lost', () => {
    const events = [...bought(100), disputed(100, about(1))];
    given(orderDecider, ...events)
      .when(noticed('dispute_lost', 100))
      .then(resolved(false, { lines: about(1) }));
    const state = stateAfter(...events, resolved(false, { lines: about(1) }));
    expect(state).toMatchObject({ status: 'charged_back', lines: [{ revoked: true }] });
    expect([state, state?.lines[0]].some((each) => each && ('suspended_at' in each || 'suspended' in each))).toBe(
      false,
    );
  });

  test('gives nothing again of what was paid back meanwhile', () => {
    const refund = noticed('refunded', 100);
    const events = [...bought(100), disputed(100, about(1))];
    const decided = orderDecider.decide(refund, stateAfter(...events)) as readonly OrderEvent[];
    given(orderDecider, ...events, ...decided)
      .when(noticed('dispute_won', 100))
      .then(resolved(true));
  });

  test('says so once, however often its provider does', () =>
    given(orderDecider, ...bought(100), disputed(100, about(1)))
      .when(dispute(100))
      .unchanged());

  test('of a guest is told of once the dispute is won, whoever was found meanwhile', () => {
    const guest = [...placed('guest', 100), paidEvent([100], null), disputed(100, about(1), null)];
    const attached: OrderEvent = { type: 'OrderBuyerAttached', data: { member_id: 'account_1' } };
    given(orderDecider, ...guest)
      .when({ type: 'AttachBuyer', member_id: 'account_1' })
      .then(attached);
    given(orderDecider, ...guest, attached)
      .when(noticed('dispute_won', 100))
      .then(resolved(true), fulfillable(...again(1)));
    given(orderDecider, ...guest, attached)
      .when(noticed('dispute_lost', 100))
      .then(resolved(false, { lines: about(1) }));
  });

  test('before its payment is told of gives nothing until the dispute is won', () => {
    const early: OrderEvent = {
      type: 'DisputeNoticed',
      data: { payment_id, event_id: 'event_disputed', kind: 'disputed', amount: 100 },
    };
    given(orderDecider, ...placed('member', 100))
      .when(dispute(100))
      .then(early);
    const paid = [paidEvent([100]), disputed(100, about(1))];
    given(orderDecider, ...placed('member', 100), early)
      .when({ ...noticed('captured', 100), suspends: true })
      .then(...paid);
    given(orderDecider, ...placed('member', 100), early, ...paid)
      .when(noticed('dispute_won', 100))
      .then(resolved(true), fulfillable(...again(1)));
  });

  test('goes on as before where a release wrote it that knew no such thing', () => {
    given(orderDecider, ...bought(100), disputed(100, undefined))
      .when(noticed('dispute_won', 100))
      .then(resolved(true));
    const events = [...bought(100), disputed(100, about(1)), resolved(true)];
    // That release told of the end: here, too, nothing rests any more.
    expect(stateAfter(...events)?.lines.some(({ suspended }) => suspended)).toBe(false);
  });

  test('gives a line again whose refund failed meanwhile', () => {
    const about_r = { refund_id: 'r', payment_id, event_id: 'r', amount: 100, currency: 'USD', reason: 'asked' };
    const events: OrderEvent[] = [
      ...bought(100, 200),
      disputed(300, about(1, 2)),
      { type: 'OrderRefunded', data: { ...about_r, full: false, member_id: 'account_1', lines: about(1) } },
      { type: 'RefundReversed', data: { ...about_r, member_id: 'account_1', lines: again(1) } },
    ];
    given(orderDecider, ...events)
      .when({ ...noticed('dispute_won', 300), held: nothingHeld })
      .then(resolved(true, { restored: again(2), since: time }));
  });
});
