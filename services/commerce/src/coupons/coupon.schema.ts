import { membersOf, mergePatch } from '@lyceum/service';
import { z } from 'zod';
import { couponCode, couponFields, couponStatuses, couponTerms } from './terms/coupon.fields.ts';

const members = membersOf('coupon', 'coupon');
const field = couponFields.shape;

/** A coupon as the staff read it, in lists too. */
export const couponReply = z
  .object({
    ...members.first,
    code: couponCode,
    ...field,
    currency: z.string().meta({ description: 'ISO 4217: of `value` where that is an amount, and of `min_subtotal`.' }),
    status: z.enum(couponStatuses),
    expired: z.boolean().meta({ description: 'Its time is over.' }),
    exhausted: z.boolean().meta({ description: 'It was redeemed as often as it may be.' }),
    redeemed: z.int().meta({ description: 'By orders that are paid. What is refunded stays counted.' }),
    held: z.int().meta({ description: 'By orders that are being paid for.' }),
    batch_id: z.string().nullable().meta({ description: 'The batch that it was made in; null = none.' }),
    ...members.last,
  })
  .meta({ id: 'Coupon', description: 'What takes something off a price. For the staff only.' });

/** The reply after parsing. */
export type CouponReply = z.output<typeof couponReply>;

const limits = {
  max_redemptions: field.max_redemptions.optional(),
  per_member_limit: field.per_member_limit.optional(),
};

/** The body that creates a coupon. */
export const createCouponBody = z
  .strictObject({ code: couponCode, kind: field.kind, value: field.value, ...couponTerms, ...limits })
  .meta({
    id: 'CreateCoupon',
    description: 'Active at once. Without limits it is for everybody, everything and for ever.',
    example: { code: 'WELCOME10', kind: 'percent', value: 10, per_member_limit: 1 },
  });

/** The body that changes a coupon. */
export const changeCouponBody = mergePatch(
  {
    code: couponCode.optional(),
    kind: field.kind.optional(),
    value: field.value.optional(),
    ...couponTerms,
    ...limits,
  },
  { id: 'ChangeCoupon', example: { max_redemptions: 50 } },
);
