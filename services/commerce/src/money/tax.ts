import { halfUp } from '@lyceum/kernel';

/** How a school charges tax: whether prices have it in them, and how much, in basis points (1900 = 19 %). */
export interface Tax {
  readonly inclusive: boolean;
  readonly rate_bp: number;
}

/** No tax. */
export const untaxed: Tax = { inclusive: true, rate_bp: 0 };

const whole = 10_000n;

/** The tax in an amount where prices have it in them, or on it where they do not; halves go up. */
export function taxOf(amount: number, { inclusive, rate_bp }: Tax): number {
  const rate = BigInt(rate_bp);
  return halfUp(BigInt(amount) * rate, inclusive ? whole + rate : whole);
}
