import { StartRefused, keepSecret } from '@lyceum/runtime';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

/** Decodes a key of 32 bytes written as base64 or base64url; undefined for anything else. */
export function decodeKey(text: string): Buffer | undefined {
  const trimmed = text.trim();
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return undefined;
  return Buffer.from(trimmed, 'base64url');
}

/** Where the key may come from. */
export interface KeySource {
  readonly KEY_ENCRYPTION_KEY?: string | undefined;
  readonly DATA_DIR: string;
  readonly NODE_ENV: string;
}

/**
 * The key under which everything secret of this service is sealed: KEY_ENCRYPTION_KEY, else the one in
 * `<DATA_DIR>/key-encryption-key` (mode 0600), which is made once. Throws `StartRefused` in production without the
 * variable, because a key beside the data that it seals protects nothing there.
 */
export async function keyEncryptionKey({ KEY_ENCRYPTION_KEY, DATA_DIR, NODE_ENV }: KeySource): Promise<Buffer> {
  if (KEY_ENCRYPTION_KEY === undefined && NODE_ENV === 'production')
    throw new StartRefused('KEY_ENCRYPTION_KEY is not set', [
      '  With NODE_ENV=production it must hold 32 bytes as base64, e.g. from: openssl rand -base64 32',
    ]);
  const file = join(DATA_DIR, 'key-encryption-key');
  const text = KEY_ENCRYPTION_KEY ?? (await keepSecret(file, () => randomBytes(32).toString('base64')));
  const key = decodeKey(text);
  if (!key)
    throw new StartRefused(`${KEY_ENCRYPTION_KEY ? 'KEY_ENCRYPTION_KEY' : file} does not hold 32 bytes as base64`);
  return key;
}
