import * as kernel from '@lyceum/kernel';
import { type KeyObject, createSecretKey, hkdfSync } from 'node:crypto';

/** What a ciphertext belongs to: authenticated, not stored. */
export type Bound = readonly (string | number)[];

/** Encrypts with AES-256-GCM under a fresh random IV: IV, tag and ciphertext. */
export const encrypt = (key: KeyObject, bound: Bound, plain: Uint8Array): Buffer =>
  kernel.encrypt(key, JSON.stringify(bound), plain);

/** What was encrypted; undefined when it was altered, or belongs to something else. */
export const decrypt = (key: KeyObject, bound: Bound, sealed: Uint8Array): Buffer | undefined =>
  kernel.decrypt(key, JSON.stringify(bound), sealed);

/** Bytes derived from a key for one purpose: they reveal nothing about the key. @see RFC 5869 */
export const deriveBytes = (key: Uint8Array | KeyObject, purpose: string, bytes = 32): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `lyceum/${purpose}`, bytes));

/** What was derived from keys, for as long as something holds the keys. */
const derived = new WeakMap<KeyObject, Map<string, KeyObject>>();

/** A key derived from another for one purpose. Worked out once for a key: purposes are few. */
export function deriveKey(key: KeyObject, purpose: string): KeyObject {
  let known = derived.get(key);
  if (!known) derived.set(key, (known = new Map()));
  let found = known.get(purpose);
  if (!found) known.set(purpose, (found = opaqueKey(deriveBytes(key, purpose))));
  return found;
}

/** 32 bytes as a key that no inspection and no log line shows. */
export const opaqueKey = (bytes: Uint8Array): KeyObject => createSecretKey(bytes);
