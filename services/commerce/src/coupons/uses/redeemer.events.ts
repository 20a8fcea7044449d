import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

const use = { coupon_id: z.string(), order_id: z.string() };

/** What one buyer did with one coupon, in a stream whose name says neither: it is made of a hash with a secret of the school. */
export const redeemerEvents = {
  CouponUseHeld: { version: 1, data: z.object({ ...use, expires_at: z.string() }) },
  CouponUseRedeemed: { version: 1, data: z.object(use) },
  CouponUseReleased: { version: 1, data: z.object(use) },
} as const satisfies EventTypes;

/** An event of what a buyer does with a coupon. */
export type RedeemerEvent = EventOf<typeof redeemerEvents>;
