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

/** A key derived from another for one purpose: who knows it learns nothing about the other. @see RFC 5869 */
export const deriveKey = (key: Uint8Array | KeyObject, purpose: string, bytes = 32): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `lyceum/${purpose}`, bytes));

/** 32 bytes as a key that no inspection and no log line shows. */
export const opaqueKey = (bytes: Uint8Array): KeyObject => createSecretKey(bytes);
