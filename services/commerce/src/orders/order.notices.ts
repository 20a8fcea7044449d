import { isRejection } from '@lyceum/kernel';
import type { OrderCommandOf } from './order.commands.ts';
import type { OrderEvent } from './order.events.ts';
import { eventsOfHolding } from './order.held.ts';
import { type Noticed, ofSubscription, paidLine, refuse } from './order.noticed.ts';
import { refundNoticed, refundsNoticedBefore, revocable } from './order.refunds.ts';
import { refundFailureNoticed } from './order.reversals.ts';
import { type Order, capturedOf } from './order.state.ts';

/** What follows from what a provider says of a payment: a notice that comes again changes nothing. */
export function takeNotice(command: OrderCommandOf<'TakeNotice'>, state: Order): readonly OrderEvent[] {
  const { notice, provider } = command;
  const payment = state.payments.find(({ payment_id }) => payment_id === notice.payment_id);
  if (!payment) return refuse(command, state, 'The order has no such payment');
  if (payment.provider !== provider)
    return refuse(command, state, `The payment is one of ${payment.provider}, and ${provider} says it`);
  if (notice.currency !== state.currency)
    return refuse(command, state, `The order is in ${state.currency}, and this is in ${notice.currency}`);
  if (payment.reference !== null && payment.reference !== notice.reference)
    return refuse(command, state, 'The provider calls this payment otherwise');
  return follow({ ...command, payment }, state);
}

function follow(noticed: Noticed, state: Order): readonly OrderEvent[] {
  switch (noticed.notice.kind) {
    case 'captured':
      return captured(noticed, state);
    case 'failed':
      return failed(noticed, state);
    case 'refunded':
      return refundNoticed(noticed, state);
    case 'refund_failed':
      return refundFailureNoticed(noticed, state);
    case 'disputed':
      return disputed(noticed, state);
    case 'dispute_won':
    case 'dispute_lost':
      return resolved(noticed, state);
  }
}

/** Why money that came is not wanted; undefined when it is. */
function unwanted({ now, held, order_id }: Noticed, state: Order): string | undefined {
  const { discount_total, currency, buyer } = state;
  const by = { order_id, member_id: buyer.member_id, discount_total, currency };
  if (capturedOf(state)) return 'The order is paid already';
  if (state.status === 'canceled') return 'The order was canceled';
  if (now >= state.holds_until)
    return 'The money came after the time to pay, when nothing was held for the order any more';
  const taken = eventsOfHolding(held, { by, take: true, now });
  return isRejection(taken) ? taken.reason : undefined;
}

function captured(noticed: Noticed, state: Order): readonly OrderEvent[] {
  const { payment, notice } = noticed;
  if (payment.state !== 'created' && payment.state !== 'open' && payment.state !== 'failed') return [];
  const { payment_id, amount, currency, event_id, at: paid_at, agreement, reference } = notice;
  if (amount !== payment.amount)
    return refuse(noticed, state, `${payment.amount} were to be paid, and ${amount} were (minor units of ${currency})`);
  const reason = unwanted(noticed, state);
  const refund_id = `return_${payment_id}`;
  if (reason !== undefined) {
    const late = { payment_id, refund_id, event_id, amount, currency, reason, reference };
    const nothing: OrderEvent = { type: 'PaymentReturned', data: { payment_id, refund_id } };
    return [{ type: 'LatePaymentReturned', data: late }, ...(amount === 0 ? [nothing] : [])];
  }
  const paid: OrderEvent = {
    type: 'OrderPaid',
    data: {
      payment_id,
      provider: payment.provider,
      event_id,
      amount,
      currency,
      paid_at,
      member_id: state.buyer.member_id,
      ...(agreement === undefined ? {} : { agreement }),
      reference,
      lines: state.lines.map(paidLine),
    },
  };
  return [paid, ...refundsNoticedBefore(state, payment)];
}

/** The failure of a payment that another one has replaced, or that was captured after all, says nothing. */
function failed({ payment, notice }: Noticed, state: Order): readonly OrderEvent[] {
  if (payment.state !== 'created' && payment.state !== 'open') return [];
  const { payment_id, event_id } = notice;
  const failure: OrderEvent = { type: 'PaymentFailed', data: { payment_id, event_id, ...ofSubscription(state) } };
  const isLive = state.payments.at(-1) === payment && state.status === 'pending';
  return isLive ? [failure, { type: 'OrderFailed', data: {} }] : [failure];
}

function disputed(noticed: Noticed, state: Order): readonly OrderEvent[] {
  const { payment, notice } = noticed;
  if (payment.state === 'disputed' || payment.state === 'charged_back') return [];
  if (payment.state !== 'captured') return refuse(noticed, state, 'A payment is disputed that was never made');
  const { payment_id, event_id, amount } = notice;
  return [{ type: 'OrderDisputed', data: { payment_id, event_id, amount } }];
}

function resolved(noticed: Noticed, state: Order): readonly OrderEvent[] {
  const { payment, notice } = noticed;
  const won = notice.kind === 'dispute_won';
  if (payment.state === 'charged_back' || (payment.state === 'captured' && won)) return [];
  if (payment.state !== 'disputed') return refuse(noticed, state, 'A dispute is over that nobody told of');
  const { payment_id, event_id } = notice;
  const lines = won ? [] : revocable(state);
  const { member_id } = state.buyer;
  return [
    { type: 'OrderDisputeResolved', data: { payment_id, event_id, won, member_id, lines, ...ofSubscription(state) } },
  ];
}
