import { instant, line } from '@lyceum/contracts';
import { z } from 'zod';

/** What a coupon can be. Whether its time is over and whether it is used up is no status: both follow from other fields. */
export const couponStatuses = ['active', 'paused', 'archived'] as const;

/** What a coupon takes off: per cent, or an amount. */
const couponKinds = ['percent', 'amount'] as const;

/** What a coupon can be for. */
const couponItemTypes = ['course', 'digital_product', 'event', 'membership_plan'] as const;

/** For how many payments of a subscription it counts. */
const durations = ['once', 'repeating', 'forever'] as const;

const upper = (code: string): string => code.trim().toUpperCase();

/** A code as people type it, kept trimmed and in upper case. */
export const couponCode = z
  .string()
  .max(100)
  .overwrite(upper)
  .refine((code) => /^[A-Z0-9_-]{3,40}$/.test(code), 'must be 3 to 40 of A-Z, 0-9, - and _')
  .meta({ description: 'Unique in the school; case does not count.', example: 'WELCOME10', maxLength: 100 });

const item = z
  .strictObject({
    item_type: z.enum(couponItemTypes),
    item_id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be an id'),
  })
  .meta({ id: 'CouponItem' });

const different = (list: readonly { readonly item_id: string }[]): boolean =>
  new Set(list.map(({ item_id }) => item_id)).size === list.length;

/** What a coupon is for: everything, or some things. */
const appliesTo = z
  .union([z.literal('all'), z.array(item).min(1).max(100).refine(different, 'must be different items')])
  .meta({ id: 'CouponAppliesTo', description: 'What it is for: everything that is sold, or these items.' });

/** What describes a coupon beside its code. */
export const couponFields = z.object({
  name: line(1, 120).meta({ description: 'For the staff; the code when left out.', example: 'Welcome' }),
  kind: z.enum(couponKinds),
  value: z.int().min(1).max(1_000_000_000).meta({
    description: 'Per cent, 1 to 100; or an amount in minor units of the currency.',
    example: 10,
  }),
  applies_to: appliesTo,
  max_redemptions: z.int().min(1).max(1_000_000).nullable().meta({ description: 'By all together; null = no limit.' }),
  per_member_limit: z
    .int()
    .min(1)
    .max(1_000)
    .nullable()
    .meta({ description: 'By one person, by account and by e-mail address; null = no limit.' }),
  min_subtotal: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .nullable()
    .meta({ description: 'What an order comes to at least, before it is reduced, in minor units; null = anything.' }),
  starts_at: instant().nullable().meta({ description: 'Counts from then on; null = from the beginning.' }),
  ends_at: instant().nullable().meta({ description: 'Counts until then; null = for ever. After starts_at.' }),
  duration: z.enum(durations).meta({
    description: 'Of a subscription: the first payment, the first `duration_cycles`, or all of them.',
  }),
  duration_cycles: z
    .int()
    .min(2)
    .max(120)
    .nullable()
    .meta({ description: 'Payments that it is for when `duration` is `repeating`; null otherwise.' }),
});

/** What describes a coupon, after parsing. */
export type CouponFields = z.output<typeof couponFields>;

const field = couponFields.shape;

/** What clients may say of a coupon beside its kind and worth; null is what it is when nothing is said. */
export const couponTerms = {
  name: field.name.optional(),
  applies_to: field.applies_to.optional(),
  min_subtotal: field.min_subtotal.optional(),
  starts_at: field.starts_at.optional(),
  ends_at: field.ends_at.optional(),
  duration: field.duration.optional(),
  duration_cycles: field.duration_cycles.optional(),
};

/** What a coupon is where nothing is said. */
export const blankTerms = {
  applies_to: 'all',
  max_redemptions: null,
  per_member_limit: null,
  min_subtotal: null,
  starts_at: null,
  ends_at: null,
  duration: 'once',
  duration_cycles: null,
} as const satisfies Partial<CouponFields>;
