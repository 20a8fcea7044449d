/**
 * Milliseconds to the next of the moments that are the same for all of this process who ask for the same period: what dozens
 * of them ask a server for at once is asked once.
 */
export function untilNext(period: number): number {
  const left = period - (performance.now() % period);
  // A timer may be a moment early: that one was this moment's, not the next one's.
  return Math.ceil(left < period / 10 ? left + period : left);
}
