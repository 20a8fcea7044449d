import { type KeyObject, createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const [ivBytes, tagBytes] = [12, 16];

/** What a ciphertext belongs to: authenticated, not stored. */
export type Bound = readonly (string | number)[];

const associated = (bound: Bound): Buffer => Buffer.from(JSON.stringify(bound));

/** Encrypts with AES-256-GCM under a fresh random IV: IV, tag and ciphertext. @see NIST SP 800-38D §8.2.2 */
export function encrypt(key: KeyObject, bound: Bound, plain: Uint8Array): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes }).setAAD(associated(bound));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

/** What was encrypted; undefined when it was altered, or belongs to something else. */
export function decrypt(key: KeyObject, bound: Bound, sealed: Uint8Array): Buffer | undefined {
  if (sealed.length < ivBytes + tagBytes) return undefined;
  const [iv, tag] = [sealed.subarray(0, ivBytes), sealed.subarray(ivBytes, ivBytes + tagBytes)];
  const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes });
  decipher.setAAD(associated(bound)).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** A key derived from another for one purpose: who knows it learns nothing about the other. @see RFC 5869 */
export const deriveKey = (key: Uint8Array | KeyObject, purpose: string, bytes = 32): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `lyceum/${purpose}`, bytes));

/** 32 bytes as a key that no inspection and no log line shows. */
export const opaqueKey = (bytes: Uint8Array): KeyObject => createSecretKey(bytes);
