import type { OrderData, OrderEvent } from '../order.events.ts';
import { type Noticed, ofSubscription, refuse } from '../order.noticed.ts';
import { mayCome } from './order.paying.ts';
import { revocable } from './order.refunds.ts';
import { apply } from '../order.folding.ts';
import type { Order, Payment } from '../order.state.ts';
import { restorable } from '../order.refunding.ts';

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
  return [begun(state, notice, noticed.suspends)];
}

/** That a payment is disputed: where the school wants it so, access to what it was for rests. */
function begun(
  state: Order,
  { payment_id, event_id, amount }: Omit<OrderData<'DisputeNoticed'>, 'kind'>,
  suspends = false,
): OrderEvent {
  const about = { payment_id, event_id, amount };
  const lines = suspends ? revocable(state) : [];
  if (lines.length === 0) return { type: 'OrderDisputed', data: about };
  const { member_id } = state.buyer;
  return { type: 'OrderDisputed', data: { ...about, member_id, lines, ...ofSubscription(state) } };
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
  const { buyer, suspended_at } = state;
  const about = { payment_id, event_id, won, member_id: buyer.member_id, lines, ...ofSubscription(state) };
  const restored = won ? restorable(state) : [];
  const since = suspended_at === undefined ? {} : { since: suspended_at };
  return {
    type: 'OrderDisputeResolved',
    data: { ...about, ...(restored.length > 0 ? { restored, ...since } : {}) },
  };
}

const after = (before: Order, events: readonly OrderEvent[]): Order =>
  events.reduce<Order>((order, event) => apply(order, event) ?? order, before);

/** What was told of disputes of a payment before the payment, which `events` tell of. */
export function disputesNoticedBefore(
  before: Order,
  { payment, suspends }: Noticed,
  events: readonly OrderEvent[],
): readonly OrderEvent[] {
  const told = before.disputes.filter((each) => each.payment_id === payment.payment_id);
  const beginning = told.find(({ kind }) => kind === 'disputed') ?? told[0];
  if (!beginning) return [];
  const paid = after(before, events);
  const end = told.findLast(({ kind }) => kind !== 'disputed');
  const first = begun(paid, beginning, suspends && !end);
  const state = after(paid, [first]);
  return end ? [first, resolution(state, end, end.kind === 'dispute_won')] : [first];
}
