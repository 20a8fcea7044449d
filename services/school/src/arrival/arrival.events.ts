import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

/** The facts of a school's arrival from another installation, in its own tenant. */
export const arrivalEvents = {
  /** Its commits are on their way; nobody is told of the school. */
  SchoolArriving: { version: 1, data: z.object({ departure: z.string() }) },
  /** All of them are here. */
  SchoolArrived: { version: 1, data: z.object({}) },
} as const satisfies EventTypes;

/** An event of an arrival. */
export type ArrivalEvent = EventOf<typeof arrivalEvents>;
