import type { Order, OrderLine, Payment, Refund } from '../order.state.ts';

/** What a view shows of an order. */
type Shown = 'anonymous' | 'member' | 'staff';

/** An order as it is shown; to its buyer without `buyer`, `refused` and `reason`, which the reply leaves out. */
export function orderDocument(id: string, order: Order, view: Shown) {
  const { currency, buyer, refused, coupon, source, reason = null, subscription_id } = order;
  const money = (amount: number) => ({ amount, currency });
  const { subtotal, discount_total, tax_total, total } = order;
  return {
    id,
    object: 'order',
    number: order.number,
    status: order.status,
    buyer: { member_id: buyer.member_id, email: buyer.email || null, name: buyer.name || null },
    lines: order.lines.map((line) => lineDocument(line, money)),
    subtotal: money(subtotal),
    discount_total: money(discount_total),
    tax_total: money(tax_total),
    total: money(total),
    currency,
    coupon_code: coupon?.code ?? null,
    subscription_id,
    payments: order.payments.map((payment) => paymentDocument(payment, money, view)),
    refunds: order.refunds.map((refund) => refundDocument(refund, money)),
    refused: refused.map(({ event_id, kind, reason, dismissed }) => ({ event_id, kind, reason, dismissed })),
    placed_at: order.created_at,
    paid_at: order.paid_at,
    fulfilled_at: order.fulfilled_at,
    expires_at: order.expires_at,
    source,
    reason,
    created_at: order.created_at,
    updated_at: order.updated_at,
    version: order.version,
    view,
  };
}

type Money = (amount: number) => { readonly amount: number; readonly currency: string };

const lineDocument = (line: OrderLine, money: Money) => ({
  id: line.line_id,
  item_type: line.item_type,
  item_id: line.item_id,
  title: line.title,
  quantity: line.quantity,
  unit_price: money(line.unit_price),
  discount: money(line.discount),
  tax: money(line.tax),
  total: money(line.total),
  revoked: line.revoked,
  suspended: line.suspended === true && !line.revoked,
});

const paymentDocument = (
  { payment_id: id, provider, state, amount, paid_at, failure }: Payment,
  money: Money,
  view: Shown,
) => ({
  ...(view === 'staff' && failure !== null ? { failure } : {}),
  id,
  provider,
  state,
  amount: money(amount),
  paid_at,
});

const refundDocument = ({ refund_id: id, state, amount, reason, failure, at }: Refund, money: Money) => ({
  id,
  state,
  amount: money(amount),
  reason,
  failure: failure ?? null,
  at,
});
