/** The only source of time. Milliseconds since the Unix epoch, UTC; may step backwards, so nothing is ordered by it. */
export interface Clock {
  now(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** The second that was written last: times are mostly of the present one. */
let second = NaN;
let written = '';

/** RFC 3339 UTC time of an instant in milliseconds, e.g. `2026-11-21T20:24:49.000Z`. */
export function isoTime(at: number): string {
  const whole = Math.floor(at / 1_000);
  if (whole !== second) {
    written = new Date(whole * 1_000).toISOString().slice(0, -4);
    second = whole;
  }
  return `${written}${String(Math.trunc(at - whole * 1_000)).padStart(3, '0')}Z`;
}
