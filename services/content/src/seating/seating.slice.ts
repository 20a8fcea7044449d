import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { seatingEvents } from './seating.events.ts';
import { seatingDecider } from './seating.ts';

/** Who waits for a seat of an event. */
export const seatingSlice: Slice = {
  name: 'seating',
  operations: [],
  events: seatingEvents,
  aggregates: [aggregate(streamsOf('seating_'), seatingDecider)],
};
