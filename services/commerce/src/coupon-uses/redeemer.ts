import type { Decider, EventContext } from '@lyceum/kernel';
import { type UseCommand, couponInvalid } from '../coupons/coupon.ts';
import { type RedeemerEvent, redeemerEvents } from './redeemer.events.ts';
import { type Tally, hasRoom, held, holdOf, redeemedBy, releasedBy, unused } from '../tallies/tally.ts';

/** What an order asks of a buyer's uses of a coupon. `limit`: how many one person may have; null = any number. */
export interface RedeemerCommand {
  readonly coupon_id: string;
  readonly limit: number | null;
  readonly use: UseCommand;
}

function evolve(state: Tally, event: RedeemerEvent, { at }: EventContext): Tally {
  switch (event.type) {
    case 'CouponUseHeld':
      return held(state, event.data, at);
    case 'CouponUseRedeemed':
      return redeemedBy(state, event.data.order_id);
    case 'CouponUseReleased':
      return releasedBy(state, event.data.order_id);
  }
}

function decide({ coupon_id, limit, use }: RedeemerCommand, state: Tally) {
  const { order_id } = use;
  const about = { coupon_id, order_id };
  if (use.type === 'ReleaseCoupon')
    return state.holds.some((each) => each.order_id === order_id)
      ? [{ type: 'CouponUseReleased' as const, data: about }]
      : [];
  const hold = holdOf(state, order_id, use.now);
  if (!hold && !hasRoom(state, limit, order_id, use.now)) return couponInvalid();
  if (use.type === 'RedeemCoupon') return [{ type: 'CouponUseRedeemed' as const, data: about }];
  const { expires_at } = use;
  if (hold?.expires_at === expires_at) return [];
  return hasRoom(state, limit, order_id, use.now)
    ? [{ type: 'CouponUseHeld' as const, data: { ...about, expires_at } }]
    : couponInvalid();
}

/** What one buyer does with one coupon: it keeps the limit for each person. */
export const redeemerDecider: Decider<Tally, RedeemerCommand, RedeemerEvent, 'coupon_invalid'> = {
  events: redeemerEvents,
  initial: unused,
  decide,
  evolve,
};
