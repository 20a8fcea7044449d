/**
 * Milliseconds to the next of the moments, one in each period of milliseconds, that all of a process have in common: what is
 * asked for then is asked for together.
 */
export function untilNext(period: number): number {
  const left = period - (performance.now() % period);
  // A timer may be a moment early: that one was this moment's, not the next one's.
  return Math.ceil(left < period / 10 ? left + period : left);
}
