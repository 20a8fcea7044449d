import type { View } from '@lyceum/web';
import { liveHolds, type Tally } from './tallies/tally.ts';
import type { CouponReply } from './coupon.schema.ts';
import type { Coupon } from './coupon.state.ts';

/** A coupon before it is known when it is asked for: how much of it is held then follows from its holds. */
export type CouponShown = Omit<CouponReply, 'held' | 'expired'> & Partial<CouponReply> & Partial<Tally>;

/** A coupon for the staff. */
export function couponDocument(coupon: Coupon, view: View, id: string): CouponShown {
  const { created_by: _by, ...known } = coupon;
  const { max_redemptions, redeemed } = coupon;
  return {
    ...known,
    id,
    object: 'coupon',
    exhausted: max_redemptions !== null && redeemed >= max_redemptions,
    view,
  } as CouponShown;
}

/** The coupon as of a time. */
export function couponAt({ holds = [], ...shown }: CouponShown, at: string): CouponShown {
  const { ends_at, redeemed } = shown;
  return { ...shown, expired: ends_at !== null && ends_at <= at, held: liveHolds({ redeemed, holds }, at).length };
}
