/** The only source of time. Milliseconds since the Unix epoch, UTC; may step backwards, so nothing is ordered by it. */
export interface Clock {
  now(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** RFC 3339 UTC time of an instant in milliseconds, e.g. `2026-11-21T20:24:49.000Z`. */
export const isoTime = (at: number): string => new Date(at).toISOString();
