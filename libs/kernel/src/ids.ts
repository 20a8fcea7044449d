import { createHash, randomBytes, randomFillSync } from 'node:crypto';
import type { Clock } from './time/clock.ts';

/** Makes identifiers that nobody has used before. */
export interface Ids {
  /** `<prefix>_<UUIDv7>`, so ids of one kind sort by the time they were made. */
  next(prefix: string): string;
  /** `bytes` of randomness as base64url. 32 bytes (256 bits) for anything that acts as a secret. */
  secret(bytes?: number): string;
}

/** Random bytes of an id. */
const idBytes = 10;

const dashed = (h: string): string =>
  `${h.slice(0, 8)}-${h.slice(8, 12)}-${h.slice(12, 16)}-${h.slice(16, 20)}-${h.slice(20, 32)}`;

/** Writes the version and the variant into the bytes of an id. @see RFC 9562 §4 */
function mark(id: Buffer, version: number): void {
  id[6] = (id.readUInt8(6) & 0x0f) | version;
  id[8] = (id.readUInt8(8) & 0x3f) | 0x80;
}

/** Where an id is put together. */
const bytes = Buffer.alloc(16);

/**
 * UUID version 7 from a time in milliseconds and 10 random bytes, which stand at `from`.
 * @see RFC 9562 §5.7
 */
export function uuidv7(now: number, random: Uint8Array, from = 0): string {
  bytes.writeUIntBE(now, 0, 6);
  bytes.set(random.subarray(from, from + idBytes), 6);
  mark(bytes, 0x70);
  return dashed(bytes.toString('hex'));
}

const namespace = Buffer.from('6f1f7c1e5a0b5b1c9d3e2a4b8c7d6e5f', 'hex');

/**
 * UUID version 5 of the parts: the same parts always give the same id, so a repeated effect is recognised.
 * @see RFC 9562 §5.5
 */
export function uuidv5(...parts: readonly (string | number)[]): string {
  const hash = createHash('sha1').update(namespace).update(JSON.stringify(parts)).digest();
  mark(hash, 0x50);
  return dashed(hash.subarray(0, 16).toString('hex'));
}

/** Asking the operating system costs more than making an id, so it is asked for many at once. Never used for secrets. */
const pool = Buffer.alloc(idBytes * 400);
let used = pool.length;

/** Where in the pool the bytes of the next id stand. */
function randomForId(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return (used += idBytes) - idBytes;
}

/** Ids from the operating system's randomness and the given clock. */
export const systemIds = (clock: Clock): Ids => ({
  next: (prefix) => `${prefix}_${uuidv7(clock.now(), pool, randomForId())}`,
  secret: (bytes = 32) => randomBytes(bytes).toString('base64url'),
});
