import type { EventOf } from '@lyceum/kernel';
import { z } from 'zod';

/** The facts of an account. `email_key` is the hash under which the address is claimed; `password_hash` is argon2id (PHC). */
export const accountEvents = {
  AccountOpened: {
    version: 1,
    data: z.object({
      email: z.string(),
      email_key: z.string(),
      name: z.string(),
      role: z.enum(['owner', 'admin', 'lecturer', 'member']),
      password_hash: z.string(),
    }),
  },
  PasswordChanged: { version: 1, data: z.object({ password_hash: z.string() }) },
} as const;

export type AccountEvent = EventOf<typeof accountEvents>;
