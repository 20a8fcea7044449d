import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

/** What one buyer is about to buy, in a stream whose name says not who that is. */
export const buyerCheckoutsEvents = {
  /**
   * Until `until` (RFC 3339 UTC) something may be held for the order. `kept`: older orders that it would have replaced, and
   * that whoever ordered was not known to have placed.
   */
  CheckoutBegun: {
    version: 1,
    data: z.object({
      order_id: z.string(),
      items: z.array(z.string()),
      until: z.string(),
      kept: z.array(z.string()).optional(),
    }),
  },
} as const satisfies EventTypes;

/** An event of what one buyer is about to buy. */
export type BuyerCheckoutsEvent = EventOf<typeof buyerCheckoutsEvents>;
