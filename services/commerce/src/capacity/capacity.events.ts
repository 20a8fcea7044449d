import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

/** What has seats. */
const item = { item_type: z.string(), item_id: z.string() };

/** A seat, by the id of the order line or of the request that it is for. */
const seat = { ...item, request_id: z.string() };

/** Seats that there are; null = as many as are wanted. */
const limit = z.int().nullable();

/** The facts of the seats of one item, in a stream of its own. Items without a limit have none. */
export const capacityEvents = {
  SeatLimitSet: { version: 1, data: z.object({ ...item, limit }) },
  /** Until `expires_at` (RFC 3339) nobody else gets the seat. */
  SeatHeld: { version: 1, data: z.object({ ...seat, expires_at: z.string() }) },
  /** `taken`: how many are, this one included. */
  SeatTaken: { version: 1, data: z.object({ ...seat, taken: z.int(), limit }) },
  /** A seat that was held or taken is free again. */
  SeatReleased: { version: 1, data: z.object({ ...seat, taken: z.int(), limit }) },
} as const satisfies EventTypes;

/** An event of the seats of an item. */
export type CapacityEvent = EventOf<typeof capacityEvents>;
