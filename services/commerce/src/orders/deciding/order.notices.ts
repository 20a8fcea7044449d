import { isRejection, isoTime } from '@lyceum/kernel';
import type { OrderCommandOf, PaymentEnd } from '../order.commands.ts';
import type { OrderEvent } from '../order.events.ts';
import { disputed, disputesNoticedBefore, resolved } from './order.disputes.ts';
import { eventsOfHolding } from '../order.held.ts';
import { type Noticed, ofSubscription, paidLine, refuse } from '../order.noticed.ts';
import { canBePaid, laterEnd, mayCome, orderFailed, paymentTime } from './order.paying.ts';
import { refundNoticed, refundsNoticedBefore } from './order.refunds.ts';
import { refundFailureNoticed } from './order.reversals.ts';
import { type Order, capturedOf } from '../order.state.ts';

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
    case 'processing':
      return processing(noticed, state);
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

/**
 * What is said of a payment whose money came before. A bank takes as many transfers as are made, each under an id of its
 * own; other providers take one payment, of which they may tell under several.
 */
function capturedAgain(noticed: Noticed, state: Order): readonly OrderEvent[] {
  const { provider, event_id } = noticed.payment;
  if (provider !== 'manual' || noticed.notice.event_id === event_id) return [];
  return refuse(noticed, state, `Paid already, by ${event_id}: this is another transfer, and nobody waits for it`);
}

function captured(noticed: Noticed, state: Order): readonly OrderEvent[] {
  const { payment, notice } = noticed;
  if (!mayCome(payment) && payment.state !== 'failed') return capturedAgain(noticed, state);
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
  const events = [paid, ...refundsNoticedBefore(state, payment)];
  return [...events, ...disputesNoticedBefore(state, noticed, events)];
}

const minute = 60_000;

/** So long after a time. */
const after = (now: string, expires: number): PaymentEnd => ({
  expires_at: isoTime(Date.parse(now) + expires),
  holds_until: isoTime(Date.parse(now) + expires + 10 * minute),
});

/** How long money that is on its way is waited for: a direct debit comes, or fails, within 14 days. */
const onItsWay = 14 * 24 * 60 * minute;

/** How long an order can be paid again after money was on its way for days, and did not come. */
const timeToRetry = 30 * minute;

/**
 * The person has paid, and the money is on its way: the order waits for it. Where nothing is held any more and nothing can
 * be, it goes back when it comes.
 */
function processing(noticed: Noticed, state: Order): readonly OrderEvent[] {
  const { payment, notice, now } = noticed;
  if (!canBePaid(payment)) return [];
  const { payment_id, event_id } = notice;
  const told: OrderEvent = { type: 'PaymentProcessing', data: { payment_id, event_id } };
  if (state.status !== 'pending' && state.status !== 'failed') return [told];
  const more = paymentTime(state, noticed, laterEnd(state, after(now, onItsWay)));
  return isRejection(more) ? [told] : [told, ...more];
}

/** The failure of a payment that another one has replaced, or that was captured after all, says nothing. */
function failed(noticed: Noticed, state: Order): readonly OrderEvent[] {
  const { payment, notice, now } = noticed;
  if (!mayCome(payment)) return [];
  const { payment_id, event_id } = notice;
  const events: readonly OrderEvent[] = [
    { type: 'PaymentFailed', data: { payment_id, event_id, ...ofSubscription(state) } },
    ...orderFailed(state, payment),
  ];
  if (payment.state !== 'processing' || events.length === 1) return events;
  // It was held for days: longer than it was placed for, which stays.
  const end = laterEnd(state.placed_end, after(now, timeToRetry));
  const sooner = end.expires_at < state.expires_at ? paymentTime(state, noticed, end) : [];
  return isRejection(sooner) ? events : [...events, ...sooner];
}
