import { decrypt, encrypt, sameBytes } from '@lyceum/kernel';
import { createHmac } from 'node:crypto';
import type { Keyset } from './paging.ts';
import { Problem } from '../replies/problem.ts';

/** Turns keysets into opaque strings and back. `bound` is all that must be the same when the cursor comes back. */
export interface CursorCodec {
  seal(keyset: Keyset, bound: string): string;
  /** Throws the 400 problem when the cursor was tampered with or belongs to something else. */
  open(cursor: string, bound: string): Keyset;
}

const macBytes = 16;

/**
 * Cursors encrypted with AES-256-GCM: they tell nothing of where they point to. The nonce is made of what is sealed, so
 * that equal cursors are equal texts, and no nonce comes twice with another text.
 */
export function cursorCodec(secret: string | Uint8Array): CursorCodec {
  const derived = (what: string): Buffer => createHmac('sha256', secret).update(what).digest();
  const [key, nonceKey] = [derived('cursor encryption'), derived('cursor nonce')];
  return {
    seal({ value, id }, bound) {
      const payload = Buffer.from(JSON.stringify([value, id]));
      return encrypt(key, bound, payload, macOf(nonceKey, payload, bound)).toString('base64url');
    },
    open(cursor, bound) {
      const bytes = Buffer.from(cursor, 'base64url');
      const isCanonical = bytes.toString('base64url') === cursor;
      const payload = isCanonical ? (decrypt(key, bound, bytes) ?? signed(secret, bytes, bound)) : undefined;
      if (!payload) throw new Problem('invalid_request', 'The cursor is not one of this list with these filters');
      const [value, id] = JSON.parse(payload.toString()) as [Keyset['value'], string];
      return { value, id };
    },
  };
}

const macOf = (key: string | Uint8Array, payload: Uint8Array, bound: string): Buffer =>
  createHmac('sha256', key).update(bound).update('\n').update(payload).digest();

/** A cursor of the release before, which only signed them. To be taken away with the release after this one. */
function signed(secret: string | Uint8Array, bytes: Buffer, bound: string): Buffer | undefined {
  if (bytes.length <= macBytes) return undefined;
  const payload = bytes.subarray(macBytes);
  const isGood = sameBytes(bytes.subarray(0, macBytes), macOf(secret, payload, bound).subarray(0, macBytes));
  return isGood ? payload : undefined;
}
