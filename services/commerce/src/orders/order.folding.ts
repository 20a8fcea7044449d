import { recording, unrecorded } from '@lyceum/kernel';
import type { OrderData, OrderEvent } from './order.events.ts';
import {
  refundFailed,
  refundIs,
  refundReversed,
  refunded,
  refunding,
  restoring,
  revoking,
  suspending,
} from './order.refunding.ts';
import {
  type Order,
  type OrderState,
  type OrderStatus,
  type Payment,
  type Refund,
  capturedOf,
  refundedOf,
} from './order.state.ts';

type Placed = OrderData<'OrderPlaced'>;

const placed = ({ lines, ...data }: Placed): Order => ({
  ...data,
  status: 'pending',
  lines: lines.map((line) => ({ ...line, revoked: false, fulfilled: false })),
  placed_end: { expires_at: data.expires_at, holds_until: data.holds_until },
  payments: [],
  refunds: [],
  refused: [],
  disputes: [],
  paid_at: null,
  fulfillable: false,
  fulfilled_at: null,
  ...unrecorded,
});

/** The order with a payment as it is now. */
const paying = (order: Order, payment_id: string | null, changes: Partial<Payment>): Order => ({
  ...order,
  payments: order.payments.map((each) => (each.payment_id === payment_id ? { ...each, ...changes } : each)),
});

/** What the order is when no dispute is open any more. */
function undisputed(order: Order): OrderStatus {
  const back = refundedOf(order);
  if (back === 0) return 'paid';
  return back >= (capturedOf(order)?.amount ?? 0) ? 'refunded' : 'partially_refunded';
}

const unopened = {
  state: 'created',
  reference: null,
  url: null,
  paid_at: null,
  event_id: null,
  agreement: null,
  failure: null,
  started_at: '',
} as const;

/** What becomes of its payments. */
function payment(order: Order, event: OrderEvent): Order {
  switch (event.type) {
    case 'PaymentStarted': {
      const begun = { ...event.data, ...unopened };
      return { ...order, status: 'pending', payments: [...order.payments, begun] };
    }
    case 'PaymentOpened': {
      const { payment_id, reference, url } = event.data;
      return paying(order, payment_id, { state: 'open', reference, url });
    }
    case 'PaymentFailed':
      return paying(order, event.data.payment_id, { state: 'failed', failure: event.data.reason ?? null });
    case 'PaymentProcessing': {
      const after = paying(order, event.data.payment_id, { state: 'processing' });
      return { ...after, status: order.status === 'failed' ? 'pending' : order.status };
    }
    case 'PaymentTimeSet': {
      const { expires_at, holds_until } = event.data;
      return { ...order, expires_at, holds_until };
    }
    case 'OrderPaid': {
      const { payment_id, paid_at, event_id, agreement = null, reference } = event.data;
      const about = { paid_at, event_id, agreement, ...(reference ? { reference } : {}) };
      return { ...paying(order, payment_id, { state: 'captured', ...about }), status: 'paid', paid_at };
    }
    case 'LatePaymentReturned': {
      const { payment_id, refund_id, event_id, amount, reason, reference } = event.data;
      const refund: Refund = { refund_id, payment_id, amount, reason, line_ids: [], state: 'returning', at: '' };
      const returned = { state: 'returned', event_id, ...(reference ? { reference } : {}) } as const;
      return refunding(paying(order, payment_id, returned), refund);
    }
    case 'PaymentReturned':
      return refundIs(order, event.data.refund_id, 'returned');
    case 'DisputeNoticed':
      return { ...order, disputes: [...order.disputes, event.data] };
    case 'OrderDisputed': {
      const { payment_id, lines = [] } = event.data;
      return { ...suspending(paying(order, payment_id, { state: 'disputed' }), lines), status: 'disputed' };
    }
    case 'OrderDisputeResolved': {
      const { won, payment_id, lines } = event.data;
      if (!won) {
        const back = revoking(paying(order, payment_id, { state: 'charged_back' }), lines);
        return { ...restoring(back), status: 'charged_back' };
      }
      const after = restoring(paying(order, payment_id, { state: 'captured' }));
      return { ...after, status: undisputed(after) };
    }
    default:
      return refund(order, event);
  }
}

/** What becomes of its refunds. */
function refund(order: Order, event: OrderEvent): Order {
  const isOpen = order.status !== 'disputed' && order.status !== 'charged_back';
  switch (event.type) {
    case 'RefundRequested':
      return refunding(order, { ...event.data, state: 'requested', at: '' });
    case 'RefundFailed':
      return refundFailed(order, event.data);
    case 'RefundReversed': {
      const after = refundReversed(order, event.data);
      return isOpen ? { ...after, status: undisputed(after) } : after;
    }
    case 'RefundNoticed': {
      const { refund_id, payment_id, amount } = event.data;
      return refunding(order, { refund_id, payment_id, amount, reason: '', line_ids: [], state: 'noticed', at: '' });
    }
    case 'OrderRefunded':
      return {
        ...refunded(order, event.data),
        ...(isOpen ? { status: event.data.full ? 'refunded' : 'partially_refunded' } : {}),
      };
    default:
      return order;
  }
}

/** The order after an event, but for its times. */
export function apply(state: OrderState, event: OrderEvent): OrderState {
  if (event.type === 'OrderPlaced') return placed(event.data);
  if (!state) return state;
  switch (event.type) {
    case 'OrderFailed':
      return { ...state, status: 'failed' };
    case 'OrderExpired':
      return { ...state, status: 'expired' };
    case 'OrderCanceled':
      return { ...state, status: 'canceled' };
    case 'NoticeRefused':
      return { ...state, refused: [...state.refused, { ...event.data, dismissed: false }] };
    case 'NoticeDismissed':
      return {
        ...state,
        refused: state.refused.map((each) =>
          each.event_id === event.data.event_id ? { ...each, dismissed: true } : each,
        ),
      };
    case 'OrderBuyerAttached':
      return { ...state, buyer: { ...state.buyer, member_id: event.data.member_id } };
    case 'OrderFulfillable':
      return { ...state, fulfillable: true };
    case 'OrderLineFulfilled':
      return {
        ...state,
        lines: state.lines.map((line) => (line.line_id === event.data.line_id ? { ...line, fulfilled: true } : line)),
      };
    case 'OrderFulfilled':
      return state;
    default:
      return payment(state, event);
  }
}

const recorded = recording(apply, { created: 'OrderPlaced' });

/** Folds an event as the log recorded it. */
export function evolve(before: OrderState, event: OrderEvent, context: Parameters<typeof recorded>[2]): OrderState {
  const state = recorded(before, event, context);
  if (!state) return state;
  const { at } = context;
  const { suspended_at = at, ...rest } = state;
  return {
    ...rest,
    fulfilled_at: event.type === 'OrderFulfilled' ? at : state.fulfilled_at,
    ...(state.lines.some(({ suspended }) => suspended) ? { suspended_at } : {}),
    payments: state.payments.map((each) => (each.started_at === '' ? { ...each, started_at: at } : each)),
    refunds: state.refunds.map((each) => (each.at === '' ? { ...each, at } : each)),
  };
}
