import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { orderEvents } from './order.events.ts';
import { isOrderId } from './order.ids.ts';

/** What other services hear of an order: ids and amounts, nobody's name or address. */
export function orderFact(recorded: RecordedEvent): FactOf<'commerce'> | undefined {
  if (!isOrderId(recorded.stream)) return undefined;
  const order_id = recorded.stream;
  const event = upcast(orderEvents, recorded);
  switch (event.type) {
    case 'OrderPlaced': {
      const { number, source, buyer, lines, total, currency, coupon, subscription_id, expires_at } = event.data;
      const told = lines.map(({ seat: _seat, access_days: _days, ...line }) => line);
      const coupon_id = coupon?.coupon_id ?? null;
      const { member_id } = buyer;
      const data = { order_id, number, source, member_id, lines: told, total, currency, coupon_id, subscription_id };
      return { type: event.type, data: { ...data, expires_at } };
    }
    case 'OrderPaid': {
      const { agreement: _agreement, reference: _reference, ...data } = event.data;
      return { type: event.type, data: { order_id, ...data } };
    }
    case 'OrderFulfillable': {
      const { member_id, lines } = event.data;
      return { type: event.type, data: { order_id, member_id, lines } };
    }
    case 'OrderRefunded': {
      const { event_id: _event, payment_id: _payment, subscription_id: _subscription, ...data } = event.data;
      return { type: event.type, data: { order_id, ...data } };
    }
    case 'RefundReversed': {
      const { event_id: _event, payment_id: _payment, reason: _reason, ...data } = event.data;
      return { type: 'OrderRefundReversed', data: { order_id, ...data } };
    }
    case 'OrderDisputed': {
      const { event_id: _event, payment_id: _payment, subscription_id: _subscription, ...data } = event.data;
      return { type: event.type, data: { order_id, ...data } };
    }
    case 'OrderDisputeResolved': {
      const { event_id: _event, payment_id: _payment, subscription_id: _subscription, ...data } = event.data;
      return { type: event.type, data: { order_id, ...data } };
    }
    case 'OrderBuyerAttached':
      return { type: event.type, data: { order_id, ...event.data } };
    case 'OrderExpired':
    case 'OrderFailed':
    case 'OrderFulfilled':
      return { type: event.type, data: { order_id } };
    case 'OrderCanceled':
      return { type: event.type, data: { order_id } };
    default:
      return undefined;
  }
}
