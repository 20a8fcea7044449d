import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

const nothing = z.object({});

/** What describes a coupon, as it is stored: the API asks for more. Amounts are in minor units of the currency. */
const fields = z.object({
  name: z.string(),
  kind: z.enum(['percent', 'amount']),
  value: z.int(),
  applies_to: z.union([z.literal('all'), z.array(z.object({ item_type: z.string(), item_id: z.string() }))]),
  max_redemptions: z.int().nullable(),
  per_member_limit: z.int().nullable(),
  min_subtotal: z.int().nullable(),
  starts_at: z.string().nullable(),
  ends_at: z.string().nullable(),
  duration: z.enum(['once', 'repeating', 'forever']),
  duration_cycles: z.int().nullable(),
});

/** The events of a coupon, in the stream named after its id. No person is in them but by the id of a member. */
export const couponEvents = {
  CouponCreated: {
    version: 1,
    data: z.object({
      code: z.string(),
      /** ISO 4217: of amounts, and of the least subtotal. */
      currency: z.string(),
      fields,
      created_by: z.string(),
      /** The batch that it was made in. */
      batch_id: z.string().optional(),
    }),
  },
  CouponChanged: { version: 1, data: z.object({ fields: fields.partial(), currency: z.string().optional() }) },
  CouponCodeChanged: { version: 1, data: z.object({ code: z.string() }) },
  CouponPaused: { version: 1, data: nothing },
  CouponActivated: { version: 1, data: nothing },
  CouponArchived: { version: 1, data: nothing },
  CouponDeleted: { version: 1, data: nothing },
  /** An order that is being paid for has one of its uses until then. */
  CouponHeld: { version: 1, data: z.object({ order_id: z.string(), expires_at: z.string() }) },
  /** It took so much off an order that is paid. `member_id`: null where the buyer was no member yet. */
  CouponRedeemed: {
    version: 1,
    data: z.object({
      order_id: z.string(),
      member_id: z.string().nullable(),
      amount: z.int(),
      currency: z.string(),
    }),
  },
  /** The order came to nothing. */
  CouponReleased: { version: 1, data: z.object({ order_id: z.string() }) },
} as const satisfies EventTypes;

/** What describes a coupon, as it is stored. */
export type StoredFields = z.output<typeof fields>;

/** An event of a coupon. */
export type CouponEvent = EventOf<typeof couponEvents>;
