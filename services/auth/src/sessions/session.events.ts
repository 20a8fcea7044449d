import type { EventOf } from '@lyceum/kernel';
import { z } from 'zod';

/**
 * The facts of one signed-in browser. `since` is in milliseconds since the epoch, other times in seconds: whether a
 * sign-in came after a request must be right within one second too.
 */
export const sessionEvents = {
  SessionStarted: {
    version: 1,
    data: z.object({
      sid: z.string(),
      account: z.string(),
      auth_time: z.number().int(),
      since: z.number().int(),
      amr: z.array(z.string()),
      expires: z.number().int(),
    }),
  },
  SessionEnded: { version: 1, data: z.object({ reason: z.enum(['replaced', 'signed_out']) }) },
} as const;

export type SessionEvent = EventOf<typeof sessionEvents>;
