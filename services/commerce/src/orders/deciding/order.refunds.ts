import { type Rejection, reject } from '@lyceum/kernel';
import type { OrderCode, OrderCommandOf } from '../order.commands.ts';
import type { OrderData, OrderEvent } from '../order.events.ts';
import { accessOf } from '../order.ids.ts';
import { type Noticed, ofSubscription, refuse } from '../order.noticed.ts';
import { type Order, type Payment, type Refund, capturedOf, isBought, refundedOf } from '../order.state.ts';

/** What can be taken back: of all lines, or of those that are named. */
export const revocable = ({ lines }: Order, line_ids?: readonly string[]) =>
  lines.filter(({ line_id, revoked }) => !revoked && (line_ids?.includes(line_id) ?? true)).map(accessOf);

/** Whether a line is taken back with a refund that is asked for and not done. */
const isAskedFor = ({ refunds }: Order, line_id: string): boolean =>
  refunds.some(({ state, line_ids }) => state === 'requested' && line_ids.includes(line_id));

/** What was paid and neither is paid back nor is to be. */
const left = (state: Order): number => (capturedOf(state)?.amount ?? 0) - refundedOf(state, ['requested', 'done']);

/** Whether all that was paid, or all that was bought for nothing, goes back or has gone. */
export function isGoingBack(state: Order): boolean {
  const paid = capturedOf(state)?.amount ?? 0;
  return paid > 0 ? left(state) <= 0 : state.lines.every(({ revoked }) => revoked);
}

/** That money has gone back; with the last of it all lines are taken back, and of what cost nothing those that are named. */
function refunded(
  state: Order,
  about: Pick<OrderData<'OrderRefunded'>, 'refund_id' | 'payment_id' | 'event_id' | 'amount' | 'reason'>,
  { captured, line_ids }: { readonly captured: number; readonly line_ids: readonly string[] },
): OrderEvent {
  const isLast = line_ids.length === 0 || revocable(state).every(({ line_id }) => line_ids.includes(line_id));
  const full = captured === 0 ? isLast : refundedOf(state) + about.amount >= captured;
  const { currency, buyer } = state;
  const lines = full ? revocable(state) : revocable(state, line_ids);
  const data = { ...about, currency, full, member_id: buyer.member_id, lines, ...ofSubscription(state) };
  return { type: 'OrderRefunded', data };
}

/** The operator wants something paid back. What cost nothing is taken back at once: all of it, or the lines that are named. */
export function requestRefund(
  command: OrderCommandOf<'RequestRefund'>,
  state: Order,
): readonly OrderEvent[] | Rejection<OrderCode> {
  const { refund_id, line_ids, reason } = command;
  if (state.refunds.some((each) => each.refund_id === refund_id)) return [];
  if (!isBought(state)) return reject('invalid_state', 'The order is not paid');
  const lines = revocable(state, line_ids).filter(({ line_id }) => !isAskedFor(state, line_id));
  if (lines.length < line_ids.length)
    return reject('validation_failed', 'A line is not one of the order, or is taken back already', [
      { path: 'line_ids', code: 'unknown_line', message: 'must name lines of the order that are not taken back' },
    ]);
  const payment = capturedOf(state);
  if (!payment || payment.amount === 0) {
    if (command.amount !== null && command.amount > 0) return tooMuch(0);
    if (state.status === 'refunded') return reject('invalid_state', 'The order is taken back already');
    const about = { refund_id, payment_id: payment?.payment_id ?? null, event_id: refund_id, amount: 0, reason };
    return [refunded(state, about, { captured: 0, line_ids })];
  }
  if (payment.state !== 'captured') return reject('invalid_state', 'The payment is disputed');
  const most = left(state);
  const cost = state.lines
    .filter(({ line_id }) => line_ids.includes(line_id))
    .reduce((sum, { total }) => sum + total, 0);
  const amount = command.amount ?? (line_ids.length > 0 ? Math.min(cost, most) : most);
  if (amount > most || most === 0) return tooMuch(most);
  if (amount < 1)
    return reject('validation_failed', 'These lines cost nothing: say an amount, or take the whole order back', [
      { path: 'amount', code: 'too_small', message: 'must be at least 1' },
    ]);
  const { payment_id } = payment;
  return [{ type: 'RefundRequested', data: { refund_id, payment_id, amount, line_ids: [...line_ids], reason } }];
}

const tooMuch = (most: number): Rejection<OrderCode> =>
  reject('validation_failed', `No more than ${most} can be paid back (minor units)`, [
    { path: 'amount', code: 'too_large', message: `must be at most ${most}` },
  ]);

/** The provider does not pay it back. */
export function refundFailed({ refund_id, reason }: OrderCommandOf<'FailRefund'>, state: Order): readonly OrderEvent[] {
  const refund = state.refunds.find((each) => each.refund_id === refund_id);
  return refund?.state === 'requested' ? [{ type: 'RefundFailed', data: { refund_id, reason } }] : [];
}

/** A provider says that a payment was paid back: as it was asked to, or by itself. */
export function refundNoticed(noticed: Noticed, state: Order): readonly OrderEvent[] {
  const { notice, payment } = noticed;
  const refund_id = notice.refund_id ?? notice.event_id;
  const known = state.refunds.find((each) => each.refund_id === refund_id);
  if (known && known.amount !== notice.amount)
    return refuse(noticed, state, `${known.amount} were to be paid back, and ${notice.amount} were`);
  switch (known?.state) {
    case 'returning':
      return [{ type: 'PaymentReturned', data: { payment_id: payment.payment_id, refund_id } }];
    case 'done':
    case 'returned':
    case 'noticed':
      return [];
    case 'failed':
      return known.final ? [] : newlyRefunded(noticed, state, refund_id, known);
    default:
      return newlyRefunded(noticed, state, refund_id, known);
  }
}

function newlyRefunded(
  noticed: Noticed,
  state: Order,
  refund_id: string,
  known: Refund | undefined,
): readonly OrderEvent[] {
  const { notice, payment } = noticed;
  const { payment_id, event_id, amount } = notice;
  if (amount < 1) return refuse(noticed, state, 'Nothing was paid back');
  if (payment.state === 'returned') return returnedBefore(noticed, state);
  const isPaid = payment.state === 'captured' || payment.state === 'disputed' || payment.state === 'charged_back';
  const others = isPaid ? refundedOf(state) : noticedOf(state, payment);
  if (others + amount > payment.amount) return refuse(noticed, state, 'More was paid back than was paid');
  if (!isPaid) return [{ type: 'RefundNoticed', data: { refund_id, payment_id, event_id, amount } }];
  const about = { refund_id, payment_id, event_id, amount, reason: known?.reason ?? 'provider' };
  return [refunded(state, about, { captured: payment.amount, line_ids: known?.line_ids ?? [] })];
}

/** Of money that goes back anyhow, the provider told under another name. */
function returnedBefore({ notice, payment }: Noticed, state: Order): readonly OrderEvent[] {
  const { payment_id } = payment;
  const back = state.refunds.find((each) => each.payment_id === payment_id && each.state === 'returning');
  if (!back || back.amount !== notice.amount) return [];
  return [{ type: 'PaymentReturned', data: { payment_id, refund_id: back.refund_id } }];
}

const noticedOf = ({ refunds }: Order, { payment_id }: Payment): number =>
  refunds
    .filter((each) => each.state === 'noticed' && each.payment_id === payment_id)
    .reduce((sum, { amount }) => sum + amount, 0);

/** What was paid back before its payment was told of: it counts with the payment. */
export function refundsNoticedBefore(state: Order, payment: Payment): readonly OrderEvent[] {
  const early = state.refunds.filter((each) => each.state === 'noticed' && each.payment_id === payment.payment_id);
  let before = refundedOf(state);
  const events: OrderEvent[] = [];
  for (const { refund_id, payment_id, amount } of early) {
    before += amount;
    const full = before >= payment.amount;
    const { currency, buyer } = state;
    const lines = full ? revocable(state) : [];
    const about = { refund_id, payment_id, event_id: refund_id, amount, currency, reason: 'provider' };
    const data = { ...about, full, member_id: buyer.member_id, lines, ...ofSubscription(state) };
    events.push({ type: 'OrderRefunded', data });
  }
  return events;
}
