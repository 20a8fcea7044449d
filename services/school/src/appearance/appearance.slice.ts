import { type Slice, aggregate, streamNamed } from '@lyceum/service';
import { appearanceDecider, appearanceStream } from './appearance.ts';
import { appearanceEvents } from './appearance.events.ts';
import { appearanceFact } from './appearance.facts.ts';
import { appearanceOperations } from './appearance.http.ts';
import { seedLooks } from './appearance.demo.ts';

/** How a school looks. */
export const appearanceSlice: Slice = {
  name: 'appearance',
  operations: appearanceOperations,
  events: appearanceEvents,
  aggregates: [aggregate(streamNamed(appearanceStream), appearanceDecider)],
  toFact: appearanceFact,
  seedDemo: (_demo, ports) => seedLooks(ports),
};
