import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { couponEvents } from './coupon.events.ts';

/** What other services hear of a coupon: that it is there, is different, or took something off an order. Codes stay here. */
export function couponFact(recorded: RecordedEvent): FactOf<'commerce'> | undefined {
  if (!recorded.stream.startsWith('coupon_')) return undefined;
  const event = upcast(couponEvents, recorded);
  const coupon_id = recorded.stream;
  switch (event.type) {
    case 'CouponCreated':
    case 'CouponDeleted':
      return { type: event.type, data: { coupon_id } };
    case 'CouponChanged':
    case 'CouponCodeChanged':
    case 'CouponPaused':
    case 'CouponActivated':
    case 'CouponArchived':
      return { type: 'CouponChanged', data: { coupon_id } };
    case 'CouponRedeemed': {
      const { order_id, amount, currency } = event.data;
      return { type: 'CouponRedeemed', data: { coupon_id, order_id, amount, currency } };
    }
    case 'CouponHeld':
    case 'CouponReleased':
      return undefined;
  }
}
