import { type EventOf, personal } from '@lyceum/kernel';
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
      /** The description by which the person recognises the browser: its name, its system and its address. */
      browser: personal(z.string(), 'account').optional(),
      system: personal(z.string(), 'account').optional(),
      address: personal(z.string(), 'account').optional(),
    }),
  },
  /** The browser was here again; written at most once an hour. */
  SessionUsed: { version: 1, data: z.object({}) },
  /** A client that wants a notification of the sign-out got tokens in this session. */
  SessionShared: { version: 1, data: z.object({ client: z.string() }) },
  /** `told` is there when clients want a notification. */
  SessionEnded: {
    version: 2,
    data: z.object({
      reason: z.enum(['replaced', 'signed_out']),
      told: z.object({ sid: z.string(), account: z.string(), clients: z.array(z.string()) }).optional(),
    }),
    upcasters: [(old: object) => old],
  },
} as const;

export type SessionEvent = EventOf<typeof sessionEvents>;
