import { type KeyObject, createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { deriveKey } from '../keys/cipher.ts';

/**
 * A fingerprint is a digest of what was asked. What was asked may be personal, and short enough to be guessed from its
 * digest, so it is stored encrypted. The same text gives the same ciphertext (its IV is a MAC of it), because repeats are
 * recognised by it.
 */
const prefix = 'sealed:';
const algorithm = 'aes-256-ctr';
const ivBytes = 16;

const macOf = (key: KeyObject, text: string): Buffer =>
  createHmac('sha256', deriveKey(key, 'fingerprint/mac')).update(text).digest().subarray(0, ivBytes);

/** Encrypts a fingerprint under a 32-byte key; the empty one says nothing and stays. Throws a `TypeError` when it looks encrypted. */
export function sealFingerprint(key: KeyObject, fingerprint: string): string {
  if (isSealedFingerprint(fingerprint)) throw new TypeError(`a fingerprint cannot begin with ${prefix}`);
  if (fingerprint === '') return fingerprint;
  const iv = macOf(key, fingerprint);
  const cipher = createCipheriv(algorithm, deriveKey(key, 'fingerprint'), iv);
  return prefix + Buffer.concat([iv, cipher.update(fingerprint), cipher.final()]).toString('base64url');
}

/** Whether a stored fingerprint is encrypted. */
export const isSealedFingerprint = (stored: string): boolean => stored.startsWith(prefix);

/** The fingerprint that was encrypted; the stored text when it does not open, which equals no fingerprint. */
export function openFingerprint(key: KeyObject, stored: string): string {
  const bytes = Buffer.from(stored.slice(prefix.length), 'base64url');
  if (bytes.length < ivBytes) return stored;
  const iv = bytes.subarray(0, ivBytes);
  const decipher = createDecipheriv(algorithm, deriveKey(key, 'fingerprint'), iv);
  const text = Buffer.concat([decipher.update(bytes.subarray(ivBytes)), decipher.final()]).toString('utf8');
  return macOf(key, text).equals(iv) ? text : stored;
}
