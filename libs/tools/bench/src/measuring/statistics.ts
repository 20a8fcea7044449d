/** The value below which a share of the values lies. NaN when there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)] ?? Number.NaN;
}

/** Smallest, middle and largest value. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export const spread = (values: readonly number[]): Spread => ({
  min: quantile(values, 0),
  median: quantile(values, 0.5),
  max: quantile(values, 1),
});
