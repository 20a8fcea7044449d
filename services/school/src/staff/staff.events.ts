import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

/** The facts of a school's staff: who of its active members runs it. */
export const staffEvents = {
  /** The member is active and has this role from now on, instead of any before. */
  StaffJoined: { version: 1, data: z.object({ member: z.string(), role: z.enum(['owner', 'admin']) }) },
  StaffLeft: { version: 1, data: z.object({ member: z.string() }) },
} as const satisfies EventTypes;

/** An event of the staff. */
export type StaffEvent = EventOf<typeof staffEvents>;
