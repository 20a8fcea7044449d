import { type Decider, type Rejection, isRejection, reject } from '@lyceum/kernel';
import type { OrderCode, OrderCommand, OrderCommandOf } from './order.commands.ts';
import { type OrderEvent, orderEvents } from './order.events.ts';
import { accessOf } from './order.ids.ts';
import { ofSubscription } from './order.noticed.ts';
import { takeNotice } from './order.notices.ts';
import { place } from './order.placing.ts';
import { refundFailed, requestRefund } from './order.refunds.ts';
import { sideEvents } from './order.side-events.ts';
import { type Order, type OrderState, apply, evolve, isBought } from './order.state.ts';

export type { OrderCode, OrderCommand } from './order.commands.ts';

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
    case 'TakeNotice':
      return takeNotice(command, state);
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

/** Payments that may fail before an order is given up. */
const mostPayments = 10;

function startPayment({ payment_id, provider, now }: OrderCommandOf<'StartPayment'>, state: Order): Decision {
  if (state.payments.some((each) => each.payment_id === payment_id)) return [];
  if (state.status !== 'pending' && state.status !== 'failed')
    return reject('invalid_state', `The order is ${state.status}`);
  if (now >= state.expires_at) return reject('invalid_state', 'The time to pay is over: place another order');
  const last = state.payments.at(-1);
  // There is one that can still be paid: two would be paid twice.
  if (last?.state === 'created' || last?.state === 'open') return [];
  if (state.payments.length >= mostPayments)
    return reject(
      'invalid_state',
      'So many payments of this order have failed that there is no other: place another order',
    );
  return [{ type: 'PaymentStarted', data: { payment_id, provider, amount: state.total } }];
}

function openPayment({ type: _type, ...opened }: OrderCommandOf<'OpenPayment'>, state: Order): Decision {
  const payment = state.payments.find(({ payment_id }) => payment_id === opened.payment_id);
  // Canceled, or over, while the provider was asked: nobody may pay for it.
  return state.status === 'pending' && payment?.state === 'created' ? [{ type: 'PaymentOpened', data: opened }] : [];
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
  const lines = after.lines.filter(({ revoked }) => !revoked).map(accessOf);
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
