import { hash, timingSafeEqual } from 'node:crypto';

/** Whether bytes are equal, in a time that depends on their lengths only. */
export const sameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && timingSafeEqual(one, other);

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/** A check whether a text is this secret, in a time that does not depend on where they differ, or on the secret's length. */
export function isSecret(secret: string): (given: string) => boolean {
  const expected = digest(secret);
  return (given) => sameBytes(digest(given), expected);
}
