import { type Decider, type Rejection, isRejection, reject } from '@lyceum/kernel';
import type { OrderCode, OrderCommand, OrderCommandOf } from '../order.commands.ts';
import { type OrderEvent, orderEvents } from '../order.events.ts';
import { accessOf } from '../order.ids.ts';
import { ofSubscription } from '../order.noticed.ts';
import { takeNotice } from './order.notices.ts';
import { failPayment, openPayment, startPayment } from './order.paying.ts';
import { place } from './order.placing.ts';
import { refundFailed, requestRefund } from './order.refunds.ts';
import { sideEvents } from './order.side-events.ts';
import { apply, evolve } from '../order.folding.ts';
import { type Order, type OrderLine, type OrderState, isBought } from '../order.state.ts';

export type { OrderCode, OrderCommand } from '../order.commands.ts';

type Decision = readonly OrderEvent[] | Rejection<OrderCode>;

function decide(command: OrderCommand, state: OrderState): Decision {
  const decision = changes(command, state);
  if (isRejection(decision)) return decision;
  return [...decision, ...fulfilment(state, decision)];
}

function changes(command: OrderCommand, state: OrderState): Decision {
  if (command.type === 'PlaceOrder')
    return state ? reject('invalid_state', 'The order exists already') : place(command);
  if (!state) return reject('not_found', 'There is no such order');
  switch (command.type) {
    case 'StartPayment':
      return startPayment(command, state);
    case 'OpenPayment':
      return openPayment(command, state);
    case 'FailPayment':
      return failPayment(command, state);
    case 'TakeNotice':
      return takeNotice(command, state);
    case 'DismissNotice':
      return dismiss(command, state);
    case 'RequestRefund':
      return requestRefund(command, state);
    case 'FailRefund':
      return refundFailed(command, state);
    case 'RecordReturn':
      return recordReturn(command, state);
    case 'ExpireOrder':
      return expire(command, state);
    case 'CancelOrder':
      return cancel(command, state);
    case 'AttachBuyer':
      return attach(command, state);
    case 'FulfilLine':
      return fulfilLine(command, state);
  }
}

function recordReturn({ refund_id }: OrderCommandOf<'RecordReturn'>, state: Order): Decision {
  const back = state.refunds.find((each) => each.refund_id === refund_id);
  if (back?.state !== 'returning' || back.payment_id === null) return [];
  return [{ type: 'PaymentReturned', data: { payment_id: back.payment_id, refund_id } }];
}

/** One whose payment failed is over for good then, too, where it is for a subscription. */
function expire({ now, over }: OrderCommandOf<'ExpireOrder'>, state: Order): Decision {
  const isOpen = state.status === 'pending' || (state.status === 'failed' && state.subscription_id !== null);
  const isOver = over === true || now >= state.expires_at;
  return isOpen && isOver ? [{ type: 'OrderExpired', data: ofSubscription(state) }] : [];
}

function cancel({ reason }: OrderCommandOf<'CancelOrder'>, state: Order): Decision {
  const { status } = state;
  if (status === 'canceled') return [];
  if (status !== 'pending' && status !== 'failed') return reject('invalid_state', `The order is ${status}`);
  return [{ type: 'OrderCanceled', data: { reason, ...ofSubscription(state) } }];
}

function dismiss({ event_id }: OrderCommandOf<'DismissNotice'>, { refused }: Order): Decision {
  const notice = refused.find((each) => each.event_id === event_id);
  if (!notice) return reject('not_found', 'Nothing that a provider said was refused under this id');
  return notice.dismissed ? [] : [{ type: 'NoticeDismissed', data: { event_id } }];
}

function attach({ member_id }: OrderCommandOf<'AttachBuyer'>, { buyer }: Order): Decision {
  if (buyer.member_id === member_id) return [];
  if (buyer.member_id !== null) return reject('invalid_state', 'The order is somebody else’s');
  return [{ type: 'OrderBuyerAttached', data: { member_id } }];
}

function fulfilLine({ line_id }: OrderCommandOf<'FulfilLine'>, state: Order): Decision {
  const line = state.lines.find((each) => each.line_id === line_id);
  if (!line || line.fulfilled || !state.fulfillable) return [];
  const others = state.lines.filter((each) => each !== line);
  const isLast = others.every(({ fulfilled, revoked }) => fulfilled || revoked);
  return [
    { type: 'OrderLineFulfilled', data: { line_id } },
    ...(isLast && state.fulfilled_at === null ? [{ type: 'OrderFulfilled', data: {} } as const] : []),
  ];
}

/** That the member is to get what was bought, as soon as it is paid and whose it is is known; once. */
function fulfilment(before: OrderState, events: readonly OrderEvent[]): readonly OrderEvent[] {
  const after = events.reduce<OrderState>(apply, before);
  if (!after || after.fulfillable || !isBought(after) || after.buyer.member_id === null) return [];
  if (after.status === 'charged_back') return [];
  // A subscription begins, and is suspended itself.
  const rests = ({ suspended = false }: OrderLine) => suspended && after.subscription_id === null;
  const lines = after.lines.filter((line) => !line.revoked && !rests(line)).map(accessOf);
  if (lines.length === 0) return [];
  return [{ type: 'OrderFulfillable', data: { member_id: after.buyer.member_id, lines, ...ofSubscription(after) } }];
}

/** An order with its payments: one stream decides that it is paid once, and that no more is paid back than was paid. */
export const orderDecider: Decider<OrderState, OrderCommand, OrderEvent, OrderCode> = {
  events: orderEvents,
  initial: null,
  decide,
  evolve,
  sideEvents,
};
