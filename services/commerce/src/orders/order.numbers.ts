import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

/** The events that give orders their numbers. */
export const numberingEvents = {
  OrderNumbered: { version: 1, data: z.object({ order_id: z.string(), number: z.int() }) },
} as const satisfies EventTypes;

/** The one stream of a school that gives orders their numbers: as it is written with each order, there are no gaps. */
export const numberingStream = 'order-numbers';

/** The number that was given last; 0 = none was. */
export type NumberingState = number;

/** Nothing is asked of the numbers by themselves. */
export const numbering = {
  events: numberingEvents,
  initial: 0,
  snapshot: { version: 1 },
  evolve: (_before: NumberingState, { data }: EventOf<typeof numberingEvents>): NumberingState => data.number,
} as const;
