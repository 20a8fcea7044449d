import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

const registration = { registration_id: z.string() };

/** The events of who waits for a seat of a calendar event, in a stream beside the event's own. No person is in them. */
export const seatingEvents = {
  /** Commerce counts the seats. `limit`: null = as many as are wanted. `freed`: there may be room for somebody who waits. */
  SeatsCounted: {
    version: 1,
    data: z.object({ taken: z.int(), limit: z.int().nullable(), freed: z.literal(true).optional() }),
  },
  /** Waits since `requested_at` (RFC 3339 UTC), which is the order. `denied`: because there was no seat just now. */
  WaitlistJoined: {
    version: 1,
    data: z.object({ ...registration, requested_at: z.string(), denied: z.literal(true).optional() }),
  },
  /** Waits no more: it has a seat, or was canceled. */
  WaitlistLeft: { version: 1, data: z.object(registration) },
  /** The one that has waited longest: a seat is asked for. */
  PromotionBegun: { version: 1, data: z.object(registration) },
  /** Somebody else had the seat: it waits again where it was. */
  PromotionDenied: { version: 1, data: z.object(registration) },
} as const satisfies EventTypes;

/** An event of who waits for a seat. */
export type SeatingEvent = EventOf<typeof seatingEvents>;
