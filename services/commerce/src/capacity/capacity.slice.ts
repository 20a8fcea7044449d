import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { capacityEvents } from './capacity.events.ts';
import { capacityFact } from './capacity.facts.ts';
import { capacityDecider } from './capacity.ts';
import { holdProcess } from './hold.process.ts';

/** The seats of what has a limit. */
export const capacitySlice: Slice = {
  name: 'capacity',
  operations: [],
  events: capacityEvents,
  aggregates: [aggregate(streamsOf('capacity_'), capacityDecider)],
  processes: [{ manager: holdProcess }],
  toFact: capacityFact,
};
