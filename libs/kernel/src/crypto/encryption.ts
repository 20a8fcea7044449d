import { type CipherKey, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const authTagLength = 16;

/**
 * Encrypts with AES-256-GCM under a 32-byte key: IV (12 bytes), tag (16 bytes), ciphertext. `bound` is what must be the same
 * when it is decrypted: it is authenticated, not stored. The IV is random, unless one is given; one that is given must never
 * come twice with different texts.
 * @see NIST SP 800-38D §8.2
 */
export function encrypt(key: CipherKey, bound: string, plain: Uint8Array | string, given?: Uint8Array): Buffer {
  const iv = given?.subarray(0, ivBytes) ?? randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv, { authTagLength }).setAAD(Buffer.from(bound));
  const body = Buffer.concat([cipher.update(Buffer.from(plain)), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

/** What was encrypted; undefined when it was altered, cut, encrypted under another key, or is bound to something else. */
export function decrypt(key: CipherKey, bound: string, encrypted: Uint8Array): Buffer | undefined {
  const begin = ivBytes + authTagLength;
  if (encrypted.length < begin) return undefined;
  const decipher = createDecipheriv(algorithm, key, encrypted.subarray(0, ivBytes), { authTagLength });
  decipher.setAAD(Buffer.from(bound)).setAuthTag(encrypted.subarray(ivBytes, begin));
  try {
    return Buffer.concat([decipher.update(encrypted.subarray(begin)), decipher.final()]);
  } catch {
    return undefined;
  }
}
