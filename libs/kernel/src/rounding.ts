/** The integer nearest to a fraction; halves go up. Exact, however large the parts are. Both are 0 or more, the second at least 1. */
export const halfUp = (numerator: bigint, denominator: bigint): number =>
  Number((2n * numerator + denominator) / (2n * denominator));

/** So many per cent of an amount, in whole minor units; halves go up. */
export const percentOf = (amount: number, percent: number): number => halfUp(BigInt(amount) * BigInt(percent), 100n);

/**
 * Splits an amount in the proportion of weights, so that the parts add up to it: each gets the whole units of its share,
 * and those with the largest remainders one more, of equal ones the first. No part is more than one unit from its share.
 * Weights are integers from 0. Throws a RangeError when there is something to split and no weight.
 */
export function split(amount: number, weights: readonly number[]): readonly number[] {
  const all = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  if (all === 0n) {
    if (amount !== 0) throw new RangeError('an amount is split by weights, and there is none');
    return weights.map(() => 0);
  }
  const shares = weights.map((weight, index) => {
    const exact = BigInt(amount) * BigInt(weight);
    return { index, whole: Number(exact / all), remainder: exact % all };
  });
  const left = amount - shares.reduce((sum, { whole }) => sum + whole, 0);
  const first = shares
    .toSorted((one, other) => Number(other.remainder > one.remainder) - Number(other.remainder < one.remainder))
    .slice(0, left);
  const more = new Set(first.map(({ index }) => index));
  return shares.map(({ index, whole }) => (more.has(index) ? whole + 1 : whole));
}
