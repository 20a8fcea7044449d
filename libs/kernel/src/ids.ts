import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Makes identifiers that nobody has used before. */
export interface Ids {
  /** `<prefix>_<UUIDv7>`, so ids of one kind sort by the time they were made. */
  next(prefix: string): string;
  /** `bytes` of randomness as base64url. 32 bytes (256 bits) for anything that acts as a secret. */
  secret(bytes?: number): string;
}

const dashed = (h: string): string =>
  `${h.slice(0, 8)}-${h.slice(8, 12)}-${h.slice(12, 16)}-${h.slice(16, 20)}-${h.slice(20, 32)}`;

/**
 * UUID version 7 from a time in milliseconds and 10 random bytes.
 * @see RFC 9562 §5.7
 */
export function uuidv7(now: number, random: Uint8Array): string {
  const bytes = Buffer.allocUnsafe(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes.set(random.subarray(0, 10), 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return dashed(bytes.toString('hex'));
}

const namespace = Buffer.from('6f1f7c1e5a0b5b1c9d3e2a4b8c7d6e5f', 'hex');

/**
 * UUID version 5 of the parts: the same parts always give the same id, so a repeated effect is recognised.
 * @see RFC 9562 §5.5
 */
export function uuidv5(...parts: readonly (string | number)[]): string {
  const hash = createHash('sha1').update(namespace).update(JSON.stringify(parts)).digest();
  hash[6] = (hash[6]! & 0x0f) | 0x50;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  return dashed(hash.subarray(0, 16).toString('hex'));
}

const idBytes = 10;
/** Asking the operating system costs more than making an id, so it is asked for many at once. Never used for secrets. */
let pool = Buffer.alloc(0);

function randomForId(): Uint8Array {
  if (pool.length < idBytes) pool = randomBytes(idBytes * 400);
  const taken = pool.subarray(0, idBytes);
  pool = pool.subarray(idBytes);
  return taken;
}

/** Ids from the operating system's randomness and the given clock. */
export const systemIds = (clock: Clock): Ids => ({
  next: (prefix) => `${prefix}_${uuidv7(clock.now(), randomForId())}`,
  secret: (bytes = 32) => randomBytes(bytes).toString('base64url'),
});
