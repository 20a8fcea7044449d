import type { EventOf } from '@lyceum/kernel';
import { z } from 'zod';

/** The facts of one signed-in browser. Times in seconds since the epoch. */
export const sessionEvents = {
  SessionStarted: {
    version: 1,
    data: z.object({
      sid: z.string(),
      account: z.string(),
      auth_time: z.number().int(),
      amr: z.array(z.string()),
      expires: z.number().int(),
    }),
  },
  SessionEnded: { version: 1, data: z.object({ reason: z.enum(['replaced', 'signed_out']) }) },
} as const;

export type SessionEvent = EventOf<typeof sessionEvents>;
