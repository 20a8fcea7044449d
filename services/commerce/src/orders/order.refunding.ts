import type { OrderData } from './order.events.ts';
import { accessOf } from './order.ids.ts';
import type { Order, OrderLine, Refund } from './order.state.ts';

/** The order with a refund in the place of the one with its id. */
export const refunding = (order: Order, refund: Refund): Order => ({
  ...order,
  refunds: [...order.refunds.filter(({ refund_id }) => refund_id !== refund.refund_id), refund],
});

/** The order with a refund in another state. */
export const refundIs = (order: Order, id: string, state: Refund['state']): Order => ({
  ...order,
  refunds: order.refunds.map((each) => (each.refund_id === id ? { ...each, state } : each)),
});

/** The order once lines were taken back. */
export const revoking = (order: Order, taken: readonly { readonly line_id: string }[]): Order => ({
  ...order,
  lines: order.lines.map((line) =>
    taken.some(({ line_id }) => line_id === line.line_id) ? { ...line, revoked: true } : line,
  ),
});

/** The order once a refund is done, but for its status. */
export function refunded(order: Order, data: OrderData<'OrderRefunded'>): Order {
  const { refund_id, payment_id, amount, reason, full, lines } = data;
  const line_ids = lines.map(({ line_id }) => line_id);
  const asked = order.refunds.find((each) => each.refund_id === refund_id)?.line_ids ?? [];
  const done = { refund_id, payment_id, amount, reason, line_ids, asked, full, state: 'done', at: '' } as const;
  return refunding(revoking(order, lines), done);
}

/** The order once a refund has failed: also one that nobody asked for here, so that it counts for nothing if told later. */
export function refundFailed(order: Order, { refund_id, reason, noticed }: OrderData<'RefundFailed'>): Order {
  const known = order.refunds.find((each) => each.refund_id === refund_id);
  const failed = { state: 'failed', failure: reason, final: noticed !== undefined } as const;
  if (known)
    return { ...order, refunds: order.refunds.map((each) => (each === known ? { ...each, ...failed } : each)) };
  if (!noticed) return order;
  const { payment_id, amount } = noticed;
  const unknown: Refund = { refund_id, payment_id, amount, reason: 'provider', line_ids: [], at: '', ...failed };
  return { ...order, refunds: [...order.refunds, unknown] };
}

/** The order once a refund that was done has failed: its lines are given under another source, as access is given once for each. */
export function refundReversed(order: Order, { refund_id, reason, lines }: OrderData<'RefundReversed'>): Order {
  return {
    ...order,
    lines: order.lines.map((line) =>
      lines.some(({ line_id }) => line_id === line.line_id)
        ? { ...line, revoked: false, suspended: false, access: (line.access ?? 1) + 1 }
        : line,
    ),
    refunds: order.refunds.map((each) =>
      each.refund_id === refund_id ? { ...each, state: 'failed', failure: reason, final: true } : each,
    ),
  };
}

/** The order while access to lines of it rests. Their seats stay theirs. */
export const suspending = (order: Order, resting: NonNullable<OrderData<'OrderDisputed'>['lines']>): Order => ({
  ...order,
  lines: order.lines.map((line) =>
    resting.some(({ line_id }) => line_id === line.line_id) ? { ...line, suspended: true } : line,
  ),
});

/** A line to which access rests no more: it is given from another source, as access is given once for each. */
const given = ({ suspended: _suspended, ...line }: OrderLine): OrderLine =>
  line.revoked ? line : { ...line, access: (line.access ?? 1) + 1 };

/** The order once access rests no more: given again, where it was not taken back meanwhile. */
export const restoring = (order: Order): Order => ({
  ...order,
  lines: order.lines.map((line) => (line.suspended ? given(line) : line)),
});

/** What rests and was given before: it is the member's again when the dispute is won. */
export const restorable = ({ lines, fulfillable }: Order) =>
  fulfillable
    ? lines.filter(({ suspended, revoked }) => suspended && !revoked).map((line) => accessOf(given(line)))
    : [];
