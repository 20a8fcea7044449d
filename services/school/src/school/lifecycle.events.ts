import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

/** The facts of whether a school is open, in a stream beside that of its existence, which releases before read too. */
export const lifecycleEvents = {
  /** By the operator. Its staff may read it, everybody else finds nothing there meanwhile. `reason` is for the staff. */
  SchoolSuspended: { version: 1, data: z.object({ reason: z.string() }) },
  SchoolResumed: { version: 1, data: z.object({}) },
  /** For ever, by an owner. `by`: the member's id. */
  SchoolClosed: { version: 1, data: z.object({ by: z.string() }) },
} as const satisfies EventTypes;

/** An event of a school's lifecycle. */
export type LifecycleEvent = EventOf<typeof lifecycleEvents>;
