import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

/** What a seat was asked of, and the id that the service which asks has given to its request. */
const request = { item_type: z.string(), item_id: z.string(), request_id: z.string() };

/** The facts of one request for a seat, in a stream of its own. It is answered once. */
export const seatRequestEvents = {
  /** `counted`: a seat was taken. Where there is no limit, nobody counts. */
  SeatRequestGranted: { version: 1, data: z.object({ ...request, counted: z.boolean() }) },
  /** `taken`, `limit`: as it was then. */
  SeatRequestDenied: { version: 1, data: z.object({ ...request, taken: z.int(), limit: z.int() }) },
  /** The seat is wanted no more. Also of a request that did not come yet: it gets no seat. */
  SeatRequestReturned: { version: 1, data: z.object(request) },
} as const satisfies EventTypes;

/** An event of a request for a seat. */
export type SeatRequestEvent = EventOf<typeof seatRequestEvents>;
