import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { countingSeats } from './seats.counting.ts';
import { seatsEvents } from './seats.events.ts';
import { seatsDecider } from './seats.ts';

/** What other services hear: that everybody is shown something else. How many seats are taken is the staff's to know. */
function seatsFact(recorded: RecordedEvent): FactOf<'catalog'> | undefined {
  if (!recorded.stream.startsWith('seats_')) return undefined;
  const event = upcast(seatsEvents, recorded);
  return event.type === 'SeatsShown' ? { type: 'CourseSeatsShown', data: event.data } : undefined;
}

/** The seats of courses that are taken. */
export const seatsSlice: Slice = {
  name: 'seats',
  operations: [],
  events: seatsEvents,
  aggregates: [aggregate(streamsOf('seats_'), seatsDecider)],
  reactions: [countingSeats],
  toFact: seatsFact,
};
