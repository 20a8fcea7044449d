import type { OrderData, OrderEvent } from '../order.events.ts';
import { type Noticed, ofSubscription, refuse } from '../order.noticed.ts';
import { mayCome } from './order.paying.ts';
import { revocable } from './order.refunds.ts';
import { type Order, type Payment, apply } from '../order.state.ts';

type Kind = OrderData<'DisputeNoticed'>['kind'];

/** Of a payment that has not come yet: it counts once that is told. */
function early({ payment, notice }: Noticed, state: Order, kind: Kind): readonly OrderEvent[] {
  const { payment_id, event_id, amount } = notice;
  if (state.disputes.some((each) => each.payment_id === payment.payment_id && each.kind === kind)) return [];
  return [{ type: 'DisputeNoticed', data: { payment_id, event_id, kind, amount } }];
}

const isEarly = (payment: Payment): boolean => mayCome(payment) || payment.state === 'failed';

/** The bank of the person who paid wants the money back. */
export function disputed(noticed: Noticed, state: Order): readonly OrderEvent[] {
  const { payment, notice } = noticed;
  if (payment.state === 'disputed' || payment.state === 'charged_back') return [];
  if (isEarly(payment)) return early(noticed, state, 'disputed');
  if (payment.state !== 'captured')
    return refuse(noticed, state, 'A payment is disputed whose money goes back already');
  const { payment_id, event_id, amount } = notice;
  return [{ type: 'OrderDisputed', data: { payment_id, event_id, amount } }];
}

/** The bank has decided. */
export function resolved(noticed: Noticed, state: Order): readonly OrderEvent[] {
  const { payment, notice } = noticed;
  const won = notice.kind === 'dispute_won';
  if (payment.state === 'charged_back' || (payment.state === 'captured' && won)) return [];
  if (isEarly(payment)) return early(noticed, state, won ? 'dispute_won' : 'dispute_lost');
  if (payment.state !== 'disputed') return refuse(noticed, state, 'A dispute is over that nobody told of');
  return [resolution(state, notice, won)];
}

function resolution(
  state: Order,
  { payment_id, event_id }: Pick<OrderData<'DisputeNoticed'>, 'payment_id' | 'event_id'>,
  won: boolean,
): OrderEvent {
  const lines = won ? [] : revocable(state);
  const { member_id } = state.buyer;
  return {
    type: 'OrderDisputeResolved',
    data: { payment_id, event_id, won, member_id, lines, ...ofSubscription(state) },
  };
}

/** What was told of disputes of a payment before the payment, which `events` tell of. */
export function disputesNoticedBefore(
  before: Order,
  { payment_id }: Payment,
  events: readonly OrderEvent[],
): readonly OrderEvent[] {
  const told = before.disputes.filter((each) => each.payment_id === payment_id);
  const begun = told.find(({ kind }) => kind === 'disputed') ?? told[0];
  if (!begun) return [];
  const { event_id, amount } = begun;
  const first: OrderEvent = { type: 'OrderDisputed', data: { payment_id, event_id, amount } };
  const end = told.findLast(({ kind }) => kind !== 'disputed');
  const state = [...events, first].reduce<Order>((order, event) => apply(order, event) ?? order, before);
  return end ? [first, resolution(state, end, end.kind === 'dispute_won')] : [first];
}
