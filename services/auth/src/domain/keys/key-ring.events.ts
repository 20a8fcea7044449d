import type { EventOf } from '@lyceum/kernel';
import { z } from 'zod';

/** The facts of a school's signing keys. */
export const keyRingEvents = {
  /** `sealed` is the private key as a JWK, encrypted under the key-encryption key. */
  SigningKeyAdded: {
    version: 1,
    data: z.object({
      kid: z.string(),
      alg: z.enum(['ES256', 'RS256']),
      public_jwk: z.record(z.string(), z.unknown()),
      sealed: z.string(),
    }),
  },
  /** It signs from now on, and the one before only verifies. The first key of an algorithm signs from the beginning. */
  SigningKeyActivated: { version: 1, data: z.object({ kid: z.string() }) },
  /** What it signed counts no more. */
  SigningKeyRetired: { version: 1, data: z.object({ kid: z.string() }) },
} as const;

export type KeyRingEvent = EventOf<typeof keyRingEvents>;
