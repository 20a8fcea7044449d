/** Lanes of a new log when nothing else is said. */
export const defaultLanes = 16;

/** The lane of a tenant: FNV-1a of its UTF-8 bytes, modulo the number of lanes. Stable for the life of a log. */
export function laneOf(tenant: string, lanes: number): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(tenant)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0) % lanes;
}

/** Refuses a number of lanes that a log cannot have: it must be an integer from 1 to 1024. */
export function checkLanes(lanes: number): number {
  if (!Number.isInteger(lanes) || lanes < 1 || lanes > 1024) throw new RangeError(`a log cannot have ${lanes} lanes`);
  return lanes;
}
