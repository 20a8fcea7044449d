import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

/** What everybody may know of the seats of a course. */
export const shownSeats = z.enum(['none', 'few', 'available']);

/** The facts of the seats of one course that are taken, as the commerce service counts them, in a stream of its own. */
export const seatsEvents = {
  /** So many are taken. `version`: of the commerce service's stream of the seats. */
  SeatsCounted: { version: 1, data: z.object({ course_id: z.string(), taken: z.int(), version: z.int() }) },
  /** Everybody is shown something else from here on. */
  SeatsShown: { version: 1, data: z.object({ course_id: z.string(), seats: shownSeats }) },
} as const satisfies EventTypes;

/** An event of the seats of a course. */
export type SeatsEvent = EventOf<typeof seatsEvents>;
