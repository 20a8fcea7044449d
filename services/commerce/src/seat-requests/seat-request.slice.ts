import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { seatReactions } from './seat-request.answering.ts';
import { seatRequestEvents } from './seat-request.events.ts';
import { seatRequestFact } from './seat-request.facts.ts';
import { seatRequestDecider } from './seat-request.ts';

/** What services that give things away ask of the seats. */
export const seatRequestSlice: Slice = {
  name: 'seat-requests',
  operations: [],
  events: seatRequestEvents,
  aggregates: [aggregate(streamsOf('seat_request_'), seatRequestDecider)],
  reactions: seatReactions,
  toFact: seatRequestFact,
};
