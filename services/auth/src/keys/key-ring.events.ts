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
  SigningKeyRetired: { version: 1, data: z.object({ kid: z.string() }) },
} as const;

export type KeyRingEvent = EventOf<typeof keyRingEvents>;
