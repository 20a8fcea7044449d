import { z } from 'zod';
import type { Json } from '../../../upstream/school-api.ts';

/** A coupon that takes something off a price now, or from `starts_at` on. Amounts are minor units of its currency. */
const coupon = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  kind: z.string(),
  value: z.int(),
  currency: z.string(),
  applies_to: z.union([z.literal('all'), z.array(z.object({ item_type: z.string(), item_id: z.string() }))]),
  min_subtotal: z.int().nullable(),
  starts_at: z.string().nullable(),
  ends_at: z.string().nullable(),
  duration: z.string(),
  duration_cycles: z.int().nullable(),
  max_redemptions: z.int().nullable(),
  per_member_limit: z.int().nullable(),
  redeemed: z.int(),
  held: z.int(),
});

const active = coupon.extend({ expired: z.boolean(), exhausted: z.boolean() });

/** The coupons of active rows that are neither over nor used up. */
export const couponsInForce = (rows: readonly Json[]): readonly z.output<typeof coupon>[] =>
  rows
    .map((row) => active.parse(row))
    .filter(({ expired, exhausted }) => !expired && !exhausted)
    .map(({ expired: _expired, exhausted: _exhausted, ...shown }) => shown);
