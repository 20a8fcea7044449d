import { z } from 'zod';

/** How long a plan's periods are; null of a plan for life. */
const interval = z.object({ unit: z.enum(['month', 'year']), count: z.int() });

/** An amount in minor units of a currency (ISO 4217). */
const price = z.object({ amount: z.int(), currency: z.string() });

/** What a plan asked for when it was chosen. Later changes of the plan leave it as it is. */
export const terms = z.object({
  plan_id: z.string(),
  plan_version: z.int(),
  /** `recurring` is renewed at the end of each period, `fixed_term` ends with its first one, `lifetime` never ends. */
  kind: z.enum(['recurring', 'fixed_term', 'lifetime']),
  interval: interval.nullable(),
  price,
});

/** The discount of a coupon on as many payments as are left; null = on all. `value`: percent, or minor units. */
export const discount = z.object({
  coupon_id: z.string(),
  kind: z.enum(['percent', 'amount']),
  value: z.int(),
  remaining_cycles: z.int().nullable(),
});

/** Why somebody canceled, in the words that Stripe's `cancellation_details.feedback` has, and why the platform did. */
export const cancelReasons = [
  'too_expensive',
  'missing_features',
  'switched_service',
  'unused',
  'customer_service',
  'too_complex',
  'low_quality',
  'other',
  'term_over',
  'erased',
  'refunded',
] as const;

/** What a plan asked for. */
export type Terms = z.infer<typeof terms>;

/** A coupon's discount on a subscription. */
export type Discount = z.infer<typeof discount>;

/** Why a subscription was canceled. */
export type CancelReason = (typeof cancelReasons)[number];

/** Who canceled. */
export type CanceledBy = 'member' | 'staff' | 'system';
