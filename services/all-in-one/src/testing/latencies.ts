/** Prints what was measured, milliseconds, for the record of a run. */
export function latencies(what: string, taken: readonly number[]): void {
  const sorted = taken.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(0);
  process.stderr.write(`measured: ${what}: p50 ${at(0.5)} ms, max ${at(1)} ms of ${sorted.length}\n`);
}
