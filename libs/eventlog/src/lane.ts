/** Lanes of a new log when nothing else is said. */
export const defaultLanes = 16;

/** Distance of two lanes in places: a lane holds 2^40 positions, and 1,024 lanes stay below 2^53. */
export const laneSpan = 2 ** 40;

/** Where a commit is in the log, as one integer: positions follow each other, and a lane follows another. */
export const placeOf = ({ lane, position }: { lane: number; position: number }): number => lane * laneSpan + position;

/** The lane and position of a place. */
export const atPlace = (place: number): { readonly lane: number; readonly position: number } => ({
  lane: Math.floor(place / laneSpan),
  position: place % laneSpan,
});

/** The lane of a tenant: FNV-1a of its UTF-8 bytes, modulo the number of lanes. Stable for the life of a log. */
export function laneOf(tenant: string, lanes: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < tenant.length; at += 1) {
    const code = tenant.charCodeAt(at);
    // One byte each, as long as the name is ASCII.
    if (code > 0x7f) return hashOf(Buffer.from(tenant)) % lanes;
    hash = Math.imul(hash ^ code, 0x01000193);
  }
  return (hash >>> 0) % lanes;
}

function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** Refuses a number of lanes that a log cannot have: it must be an integer from 1 to 1024. */
export function checkLanes(lanes: number): number {
  if (!Number.isInteger(lanes) || lanes < 1 || lanes > 1024) throw new RangeError(`a log cannot have ${lanes} lanes`);
  return lanes;
}

/** The log that is there cannot be opened as asked: with other lanes, by this release, or on this kind of server. */
export class LogUnfit extends Error {
  override readonly name = 'LogUnfit';
}
