import { z } from 'zod';
import { decodeKey } from './sealing/key-encryption-key.ts';

const rule = '32 bytes as base64, e.g. from: openssl rand -base64 32';

/** What this service reads from the environment, beyond the common settings. */
export const authSettings = z.object({
  KEY_ENCRYPTION_KEY: z
    .string()
    .refine((text) => decodeKey(text) !== undefined, rule)
    .optional()
    .meta({
      secret: true,
      description: 'Seals the signing keys; unset = made once and kept in DATA_DIR/key-encryption-key',
    }),
});

export type AuthSettings = z.output<typeof authSettings>;
