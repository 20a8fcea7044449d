import type { Slice } from '@lyceum/service';
import { askedSeatProjection } from './seat.asked.ts';
import { seatReactions } from './seat.reactions.ts';

/** The seats of enrollments in courses that have so many, which the commerce service counts. */
export const seatSlice: Slice = {
  name: 'seats',
  operations: [],
  projections: [askedSeatProjection],
  reactions: seatReactions,
  // The enrollments say all of it.
  personalData: [],
};
