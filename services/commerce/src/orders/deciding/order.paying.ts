import { type Rejection, isRejection, reject } from '@lyceum/kernel';
import type { OrderCode, OrderCommandOf, PaymentEnd } from '../order.commands.ts';
import type { OrderEvent } from '../order.events.ts';
import { type Held, eventsOfHolding } from '../order.held.ts';
import { ofSubscription } from '../order.noticed.ts';
import type { Order, Payment } from '../order.state.ts';

type Decision = readonly OrderEvent[] | Rejection<OrderCode>;

/** What is held for an order, as it is now. */
interface Holding {
  readonly order_id: string;
  readonly held: Held;
  readonly now: string;
}

/** Payments that may fail before an order is given up. */
const mostPayments = 10;

/** Whether somebody may still pay it. */
export const canBePaid = ({ state }: Payment): boolean => state === 'created' || state === 'open';

/** Whether its money may still come: somebody may pay it, or has, and the money is on its way. */
export const mayCome = (payment: Payment): boolean => canBePaid(payment) || payment.state === 'processing';

const later = (one: string, other: string): string => (one > other ? one : other);

/** That the order can be paid until another time, with what is held for it. Rejected when that is not held any more. */
export function paymentTime(state: Order, { order_id, held, now }: Holding, end: PaymentEnd): Decision {
  const { expires_at, holds_until, buyer, discount_total, currency } = state;
  if (end.expires_at === expires_at && end.holds_until === holds_until) return [];
  const by = { order_id, member_id: buyer.member_id, discount_total, currency };
  const beside = eventsOfHolding(held, { by, hold: end.holds_until, now });
  return isRejection(beside) ? beside : [{ type: 'PaymentTimeSet', data: { ...end, ...ofSubscription(state) } }];
}

/** Whether it is of nobody who is known. */
export const isGuests = ({ buyer }: Pick<Order, 'buyer'>): boolean => buyer.member_id === null;

/**
 * The same for another payment. Of a guest the order can be paid longer, and nothing is held longer: who made an address up
 * would hold it. What is paid when nothing is held any more takes what is left, or goes back.
 */
const paymentTimeOf = (state: Order, holding: Holding, end: PaymentEnd): Decision =>
  paymentTime(state, isGuests(state) ? { ...holding, held: { seats: [], coupon: null } } : holding, end);

/** The later one of two ends of an order's time to pay. */
export const laterEnd = ({ expires_at, holds_until }: PaymentEnd, end: PaymentEnd): PaymentEnd => ({
  expires_at: later(expires_at, end.expires_at),
  holds_until: later(holds_until, end.holds_until),
});

/**
 * Begins another payment in place of one that failed, or of one by another provider, which has ended it as far as it can.
 * The time to pay gets longer with the provider, never shorter.
 */
export function startPayment(command: OrderCommandOf<'StartPayment'>, state: Order): Decision {
  const { payment_id, provider, end, now } = command;
  const { payments, status } = state;
  if (payments.some((each) => each.payment_id === payment_id)) return [];
  if (status !== 'pending' && status !== 'failed') return reject('invalid_state', `The order is ${status}`);
  if (now >= state.expires_at) return reject('invalid_state', 'The time to pay is over: place another order');
  const last = payments.at(-1);
  // There is one that can still be paid, or was: two would be paid twice.
  if (last && canBePaid(last) && last.provider === provider) return [];
  if (payments.some((each) => each.state === 'processing'))
    return reject('invalid_state', 'It is paid, and the money is on its way');
  if (payments.length >= mostPayments)
    return reject(
      'invalid_state',
      'So many payments of this order have failed that there is no other: place another order',
    );
  const more = paymentTimeOf(state, command, laterEnd(state, end));
  if (isRejection(more)) return more;
  return [{ type: 'PaymentStarted', data: { payment_id, provider, amount: state.total } }, ...more];
}

/** The provider takes the payment, unless the order was canceled or is over meanwhile: nobody may pay for it then. */
export function openPayment({ type: _type, ...opened }: OrderCommandOf<'OpenPayment'>, state: Order): Decision {
  const payment = state.payments.find(({ payment_id }) => payment_id === opened.payment_id);
  return state.status === 'pending' && payment?.state === 'created' ? [{ type: 'PaymentOpened', data: opened }] : [];
}

/** The provider never takes the payment: the order waits for another one. */
export function failPayment(
  { payment_id, reason }: OrderCommandOf<'FailPayment'>,
  state: Order,
): readonly OrderEvent[] {
  const payment = state.payments.find((each) => each.payment_id === payment_id);
  if (payment?.state !== 'created') return [];
  const data = { payment_id, event_id: `refused_${payment_id}`, reason, ...ofSubscription(state) };
  return [{ type: 'PaymentFailed', data }, ...orderFailed(state, payment)];
}

/** The order fails with its newest payment. */
export const orderFailed = (state: Order, payment: Payment): readonly OrderEvent[] =>
  state.payments.at(-1) === payment && state.status === 'pending' ? [{ type: 'OrderFailed', data: {} }] : [];
