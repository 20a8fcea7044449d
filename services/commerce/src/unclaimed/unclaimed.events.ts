import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

/** What providers say of payments that no order of the school has: somebody has to look where the money is from. */
export const unclaimedEvents = {
  /** `order_id`, `payment_id`: as the provider has them. `reason`: why nothing followed from it, in words for operators. */
  NoticeUnclaimed: {
    version: 1,
    data: z.object({
      provider: z.string(),
      event_id: z.string(),
      kind: z.string(),
      order_id: z.string(),
      payment_id: z.string(),
      reason: z.string(),
    }),
  },
  /** The operator has dealt with it. */
  UnclaimedDismissed: { version: 1, data: z.object({ event_id: z.string() }) },
} as const satisfies EventTypes;

/** An event of the notices that no order claims. */
export type UnclaimedEvent = EventOf<typeof unclaimedEvents>;

/** A notice that no order claims. */
export type UnclaimedNotice = Extract<UnclaimedEvent, { type: 'NoticeUnclaimed' }>['data'];
