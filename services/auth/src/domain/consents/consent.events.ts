import type { EventOf } from '@lyceum/kernel';
import { z } from 'zod';

/** The facts of what a person agreed to for one client, beyond the single grant. */
export const consentEvents = {
  /** Everything that is remembered from now on, not only what is new. `until` in seconds since the epoch. */
  ConsentRemembered: {
    version: 1,
    data: z.object({
      client: z.string(),
      account: z.string(),
      scopes: z.array(z.string()),
      /** Resources named at the authorization request; empty = none named. */
      resource: z.array(z.string()),
      until: z.number().int(),
    }),
  },
  /** The next request asks again. */
  ConsentWithdrawn: { version: 1, data: z.object({}) },
} as const;

export type ConsentEvent = EventOf<typeof consentEvents>;
