import { type EventOf, ofStream, personal } from '@lyceum/kernel';
import { z } from 'zod';

/**
 * The facts of an account. `email_key` is the keyed hash under which the address is claimed; `password_hash` is argon2id
 * (PHC). What is personal is null once the person is erased.
 */
export const accountEvents = {
  AccountOpened: {
    version: 1,
    data: z.object({
      email: personal(z.string(), ofStream),
      email_key: z.string(),
      name: personal(z.string(), ofStream),
      password_hash: personal(z.string(), ofStream),
    }),
  },
  /** `by` is absent when neither the person nor a link did it, but the installation. */
  PasswordChanged: {
    version: 2,
    data: z.object({ password_hash: personal(z.string(), ofStream), by: z.enum(['person', 'link']).optional() }),
    upcasters: [(old: object) => old],
  },
  /**
   * How the person wants to be called, in which language (BCP 47), and the IANA name of their time zone; null = as the school
   * has it. What is left out stays. Processes of a release that knows no time zones pass over it.
   */
  ProfileChanged: {
    version: 1,
    data: z.object({
      name: personal(z.string(), ofStream).optional(),
      locale: z.string().nullable().optional(),
      timezone: z.string().nullable().optional(),
    }),
  },
  /** A mail with a link that proves the address is to be sent. */
  EmailVerificationAsked: { version: 1, data: z.object({}) },
  /** The address is proven by a link in a mail. */
  EmailVerified: { version: 1, data: z.object({}) },
  /** Another address is to take the place of the present one once both are confirmed; `until` is RFC 3339. */
  EmailChangeAsked: {
    version: 1,
    data: z.object({
      change_id: z.string(),
      email: personal(z.string(), ofStream),
      email_key: z.string(),
      until: z.string(),
    }),
  },
  EmailChangeConfirmed: { version: 1, data: z.object({ change_id: z.string(), side: z.enum(['present', 'next']) }) },
  EmailChanged: { version: 1, data: z.object({ email: personal(z.string(), ofStream), email_key: z.string() }) },
  /** The person is signed out everywhere: sign-ins, grants and tokens from before this time (RFC 3339) are void. */
  SessionsEnded: { version: 1, data: z.object({ tokens_not_before: z.string() }) },
  /** Nobody signs in here any more, and the address is free for another account. */
  AccountClosed: { version: 1, data: z.object({}) },
} as const;

export type AccountEvent = EventOf<typeof accountEvents>;
