import type { z } from 'zod';
import { type CouponFields, blankTerms } from './terms/coupon.fields.ts';
import { stated } from '../input/stated.ts';
import type { changeCouponBody, createCouponBody } from './coupon.schema.ts';
import type { CouponChanges } from './coupon.ts';

/** The fields of a new coupon from what the client said; the rest is blank. */
export function newCoupon({ code, ...body }: z.output<typeof createCouponBody>): CouponFields {
  const { kind, value } = body;
  return { ...blankTerms, name: code, ...stated<CouponFields>(body), kind, value };
}

/** The changes that a merge patch asks for. What no longer repeats has no number of payments any more. */
export function changesOf(body: z.output<typeof changeCouponBody>): CouponChanges {
  const { duration, duration_cycles } = body;
  const once = duration !== undefined && duration !== 'repeating' && duration_cycles === undefined;
  return { ...stated<CouponFields & { code: string }>(body), ...(once ? { duration_cycles: null } : {}) };
}
