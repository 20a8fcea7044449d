import { z } from 'zod';
import { published, subjectEvents } from './declaration.ts';

const coupon_id = z.string();

/** What happened to a coupon is its staff's to know: codes are in no event. */
const couponFeed = (means: string) => ({ feed: { scope: 'coupons:read', shows: 'staff', means } }) as const;

/** What the commerce service publishes. */
export const commerceFacts = {
  ...subjectEvents,
  CouponCreated: published(1, z.object({ coupon_id }), couponFeed('A coupon was made')),
  /** Its terms or its status. */
  CouponChanged: published(1, z.object({ coupon_id }), couponFeed('A coupon is different')),
  /** In minor units. */
  CouponRedeemed: published(
    1,
    z.object({ coupon_id, order_id: z.string(), amount: z.number().int(), currency: z.string() }),
    couponFeed('A coupon took so much off an order'),
  ),
  CouponDeleted: published(1, z.object({ coupon_id }), couponFeed('A coupon was deleted')),
} as const;
