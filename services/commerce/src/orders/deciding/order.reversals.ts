import type { OrderEvent } from '../order.events.ts';
import { hasSeat } from '../order.held.ts';
import { accessOf } from '../order.ids.ts';
import { type Noticed, refuse } from '../order.noticed.ts';
import type { Order, OrderLine, Refund } from '../order.state.ts';

/** Lines that were taken back with a refund, or because nothing was left with it, and that can be given again. */
function restorable({ held, now }: Noticed, { lines, refunds, status }: Order, refund: Refund): readonly OrderLine[] {
  if (status === 'charged_back') return [];
  // With this one back, what another one took back as the last of the money is not all of it any more.
  const closing = refunds.filter(({ state, full }) => state === 'done' && full === true);
  const ids = [
    ...refund.line_ids,
    ...closing.flatMap(({ line_ids, asked = [] }) => line_ids.filter((id) => !asked.includes(id))),
  ];
  return lines.filter(
    ({ line_id, revoked, seat }) => revoked && ids.includes(line_id) && (!seat || hasSeat(held, line_id, now)),
  );
}

function reversed(noticed: Noticed, state: Order, refund: Refund): OrderEvent {
  const { event_id, payment_id, amount, currency, reason = 'provider' } = noticed.notice;
  const lines = restorable(noticed, state, refund).map((line) => accessOf({ ...line, access: (line.access ?? 1) + 1 }));
  const { refund_id } = refund;
  const { member_id } = state.buyer;
  const about = { refund_id, payment_id, event_id, amount, currency, reason };
  return { type: 'RefundReversed', data: { ...about, member_id, lines } };
}

/**
 * A provider says that a refund failed, be it after it said that it was done: the money is here. What was taken back with it
 * is the member's again, where there is still a seat.
 */
export function refundFailureNoticed(noticed: Noticed, state: Order): readonly OrderEvent[] {
  const { event_id, payment_id, amount, reason = 'provider', refund_id = event_id } = noticed.notice;
  const known = state.refunds.find((each) => each.refund_id === refund_id);
  if (known && known.amount !== amount)
    return refuse(noticed, state, `${known.amount} were to be paid back, and the failure is of ${amount}`);
  if (known?.state === 'failed') return [];
  if (known?.state === 'done') return [reversed(noticed, state, known)];
  return [{ type: 'RefundFailed', data: { refund_id, reason, noticed: { event_id, payment_id, amount } } }];
}
