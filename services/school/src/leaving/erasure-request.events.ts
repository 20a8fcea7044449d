import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

/** The facts of a member's wish to be erased, in a stream of its own beside the member's, which releases before read too. */
export const erasureRequestEvents = {
  /** The member is to be erased at `due_at` (RFC 3339), unless it is cancelled before. */
  ErasureRequested: { version: 1, data: z.object({ due_at: z.string() }) },
  /** The person was written to about it. */
  ErasureConfirmed: { version: 1, data: z.object({}) },
  ErasureCancelled: { version: 1, data: z.object({ reason: z.enum(['person', 'last_owner']) }) },
  /** It is being done, and nothing cancels it any more. */
  ErasureBegun: { version: 1, data: z.object({}) },
} as const satisfies EventTypes;

/** An event of a request for erasure. */
export type ErasureRequestEvent = EventOf<typeof erasureRequestEvents>;
