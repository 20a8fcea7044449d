import type { Slice } from '@lyceum/runtime';
import { appearanceEvents } from './appearance.events.ts';
import { appearanceFact } from './appearance.facts.ts';
import { appearanceOperations } from './appearance.http.ts';
import { seedLooks } from './demo-looks.ts';

/** How a school looks. */
export const appearanceSlice: Slice = {
  name: 'appearance',
  operations: appearanceOperations,
  events: appearanceEvents,
  cross: appearanceFact,
  seedDemo: (_demo, ports) => seedLooks(ports),
};
