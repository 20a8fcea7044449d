import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';
import { couponEvents } from '../coupon.events.ts';

const { fields, currency } = couponEvents.CouponCreated.data.shape;

/** The events of a batch of coupons, in the stream named after its id. */
export const batchEvents = {
  CouponBatchRequested: {
    version: 1,
    data: z.object({
      count: z.int(),
      /** What the codes begin with. */
      prefix: z.string(),
      currency,
      /** Of each of them. */
      fields,
      /** What the codes are made from: with it, they are the same after a crash. */
      seed: z.string(),
      requested_by: z.string(),
    }),
  },
  /** So many of its coupons are there, from the first on. */
  CouponBatchAdvanced: { version: 1, data: z.object({ made: z.int() }) },
} as const satisfies EventTypes;

/** An event of a batch. */
export type BatchEvent = EventOf<typeof batchEvents>;
