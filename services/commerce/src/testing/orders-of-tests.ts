import type { PaymentNotice } from '../payments/payment-provider.ts';
import { lineId, paymentId } from '../orders/order.ids.ts';
import type { OrderEvent, PlacedLine } from '../orders/order.events.ts';
import type { OrderCommand } from '../orders/deciding/order.ts';

/** The order of tests of the decider. */
export const id = 'order_0195a3c2-7d10-7abc-8def-0123456789ab';

/** Its first payment. */
export const payment_id = paymentId(id, 1);

/** When it is placed, while it can be paid, when that is over, and when nothing is held for it any more. */
export const times = {
  placed: '2026-01-05T08:00:00.000Z',
  paid: '2026-01-05T08:10:00.000Z',
  expires: '2026-01-05T08:30:00.000Z',
  late: '2026-01-05T08:35:00.000Z',
  gone: '2026-01-05T08:40:00.000Z',
  end: '2026-02-05T08:40:00.000Z',
} as const;

/** Nothing is held for it. */
export const nothingHeld = { seats: [], coupon: null } as const;

/** A line that costs so much. */
const lineOf = (number: number, total: number): PlacedLine => ({
  line_id: lineId(id, number),
  item_type: 'course',
  item_id: `course_${number}`,
  title: `Course ${number}`,
  quantity: 1,
  unit_price: total,
  discount: 0,
  tax: 0,
  total,
  seat: false,
});

type Placing = Extract<OrderCommand, { type: 'PlaceOrder' }>;

/** That somebody buys lines at these prices; a member unless a guest. */
export function placing(prices: readonly number[], buyer: 'member' | 'guest' = 'member'): Placing {
  const lines = prices.map((price, index) => lineOf(index + 1, price));
  const total = prices.reduce((sum, price) => sum + price, 0);
  const member = { id: 'account_1', member_id: 'account_1' };
  const guest = { id: 'buyer_1', member_id: null, email: 'ada@example.org' };
  return {
    type: 'PlaceOrder',
    id,
    order: {
      source: 'checkout',
      buyer: buyer === 'member' ? member : guest,
      lines,
      subtotal: total,
      discount_total: 0,
      tax_total: 0,
      total,
      currency: 'USD',
      tax: { inclusive: true, rate_bp: 0 },
      coupon: null,
      subscription_id: null,
      secret_hash: null,
      expires_at: times.expires,
      holds_until: times.gone,
    },
    payment: total > 0 ? { payment_id, provider: 'test' } : null,
    numbering: 0,
    held: nothingHeld,
    now: times.placed,
  };
}

/** What a provider says of the first payment. */
export const noticed = (
  kind: PaymentNotice['kind'],
  amount: number,
  more: Partial<PaymentNotice> & { readonly now?: string; readonly provider?: string } = {},
): Extract<OrderCommand, { type: 'TakeNotice' }> => {
  const { now = times.paid, provider = 'test', ...rest } = more;
  return {
    type: 'TakeNotice',
    order_id: id,
    provider,
    notice: {
      event_id: `event_${kind}`,
      kind,
      school: 'school_1',
      order_id: id,
      payment_id,
      reference: 'ref_1',
      amount,
      currency: 'USD',
      at: now,
      ...rest,
    },
    held: nothingHeld,
    now,
  };
};

/** That the second payment is begun, by the same provider and until the same time when nothing else is said. */
export const starting = (
  more: Partial<Extract<OrderCommand, { type: 'StartPayment' }>> = {},
): Extract<OrderCommand, { type: 'StartPayment' }> => ({
  type: 'StartPayment',
  order_id: id,
  payment_id: paymentId(id, 2),
  provider: 'test',
  end: { expires_at: times.expires, holds_until: times.gone },
  held: nothingHeld,
  now: times.paid,
  ...more,
});

/** That the order was paid, with what it is about. */
export const paidEvent = (
  prices: readonly number[],
  member_id: string | null = 'account_1',
): Extract<OrderEvent, { type: 'OrderPaid' }> => ({
  type: 'OrderPaid',
  data: {
    payment_id,
    provider: 'test',
    event_id: 'event_captured',
    amount: prices.reduce((sum, price) => sum + price, 0),
    currency: 'USD',
    paid_at: times.paid,
    member_id,
    reference: 'ref_1',
    lines: prices.map((price, index) => {
      const { line_id, item_type, item_id, total, tax } = lineOf(index + 1, price);
      return { line_id, item_type, item_id, total, tax };
    }),
  },
});

/** What the lines of these numbers are about. */
export const about = (...numbers: readonly number[]) =>
  numbers.map((number) => ({ line_id: lineId(id, number), item_type: 'course', item_id: `course_${number}` }));
