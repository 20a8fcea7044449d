import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import { capacityDecider, capacityStream } from '../../capacity/capacity.ts';
import { about, id, nothingHeld, payment_id, placing, times } from '../../testing/orders-of-tests.ts';
import type { OrderCommandOf } from '../order.commands.ts';
import type { OrderEvent } from '../order.events.ts';
import type { Held } from '../order.held.ts';
import { lineId } from '../order.ids.ts';
import { orderDecider } from './order.ts';

type Placing = OrderCommandOf<'PlaceOrder'>;

/** That courses of these prices are given. */
function giving(prices: readonly number[], buyer: 'member' | 'guest' = 'member', more: Partial<Placing['order']> = {}) {
  const bought = placing(prices, buyer);
  const { order } = bought;
  const lines = order.lines.map((line) => ({ ...line, discount: line.unit_price, total: 0 }));
  const sums = { discount_total: order.subtotal, total: 0 };
  const gift = { ...order, lines, ...sums, source: 'comp', reason: 'won it', ...more } as const;
  return { ...bought, order: gift, payment: null } satisfies Placing;
}

const placed = (command: Placing): OrderEvent => ({ type: 'OrderPlaced', data: { ...command.order, number: 1 } });
const paid = (numbers: readonly number[], member_id: string | null = 'account_1'): OrderEvent => ({
  type: 'OrderPaid',
  data: {
    payment_id: null,
    provider: 'none',
    event_id: '',
    amount: 0,
    currency: 'USD',
    paid_at: times.placed,
    member_id,
    lines: about(...numbers).map((line) => ({ ...line, total: 0, tax: 0 })),
  },
});
const fulfillable = (...numbers: readonly number[]): OrderEvent => ({
  type: 'OrderFulfillable',
  data: { member_id: 'account_1', lines: about(...numbers) },
});
const takenBack = (refund_id: string, full: boolean, numbers: readonly number[]): OrderEvent => ({
  type: 'OrderRefunded',
  data: {
    refund_id,
    payment_id: null,
    event_id: refund_id,
    amount: 0,
    currency: 'USD',
    full,
    reason: 'a mistake',
    member_id: 'account_1',
    lines: about(...numbers),
  },
});
const takingBack = (refund_id: string, numbers: readonly number[] = [], amount: number | null = null) => {
  const line_ids = numbers.map((number) => lineId(id, number));
  return {
    type: 'RequestRefund',
    order_id: id,
    refund_id,
    amount,
    line_ids,
    reason: 'a mistake',
    held: nothingHeld,
  } as const;
};

describe('a gift', () => {
  const gift = giving([100, 200]);
  const had = [placed(gift), paid([1, 2]), fulfillable(1, 2)];

  test('is paid at once and the member’s, with prices and all of them taken off', () => {
    given(orderDecider)
      .when(gift)
      .then(...had);
    given(orderDecider, ...had)
      .when(gift)
      .rejected('invalid_state');
  });

  test('to an address waits for its member', () => {
    const guests = giving([100], 'guest');
    given(orderDecider)
      .when(guests)
      .then(placed(guests), paid([1], null));
    given(orderDecider, placed(guests), paid([1], null))
      .when({ type: 'AttachBuyer', member_id: 'account_1' })
      .then({ type: 'OrderBuyerAttached', data: { member_id: 'account_1' } }, fulfillable(1));
  });

  test('is refused where there is no seat', () => {
    const seat = { line_id: lineId(id, 1), item_type: 'course', item_id: 'course_1', limit: 0 };
    const held: Held = {
      seats: [{ ...seat, stream: capacityStream(seat), state: capacityDecider.initial }],
      coupon: null,
    };
    given(orderDecider)
      .when({ ...gift, held })
      .rejected('sold_out');
  });

  test.each([
    ['a payment', { ...gift, payment: { payment_id, provider: 'test' } }],
    ['a coupon', giving([100], 'member', { coupon: { coupon_id: 'coupon_1', code: 'ALL', redeemers: [] } })],
    ['a subscription', giving([100], 'member', { subscription_id: 'subscription_1' })],
    ['something to pay', { ...placing([100]), order: { ...placing([100]).order, source: 'comp' as const } }],
  ])('with %s is a mistake of the program', (_, command: Placing) => {
    expect(() => given(orderDecider).when(command)).toThrow('a gift has');
  });

  test('is taken back whole, once', () => {
    given(orderDecider, ...had)
      .when(takingBack('refund_1'))
      .then(takenBack('refund_1', true, [1, 2]));
    const gone = [...had, takenBack('refund_1', true, [1, 2])];
    given(orderDecider, ...gone)
      .when(takingBack('refund_1'))
      .unchanged();
    given(orderDecider, ...gone)
      .when(takingBack('refund_2'))
      .rejected('invalid_state');
    expect(given(orderDecider, ...gone).state?.status).toBe('refunded');
  });

  test('is taken back line by line, and no money with it', () => {
    given(orderDecider, ...had)
      .when(takingBack('refund_1', [1]))
      .then(takenBack('refund_1', false, [1]));
    const half = [...had, takenBack('refund_1', false, [1])];
    expect(given(orderDecider, ...half).state).toMatchObject({
      status: 'partially_refunded',
      lines: [{ revoked: true }, { revoked: false }],
    });
    given(orderDecider, ...half)
      .when(takingBack('refund_2', [1]))
      .rejected('validation_failed');
    for (const rest of [[2], []])
      given(orderDecider, ...half)
        .when(takingBack('refund_2', rest))
        .then(takenBack('refund_2', true, [2]));
    given(orderDecider, ...had)
      .when(takingBack('refund_1', [], 1))
      .rejected('validation_failed');
  });
});
