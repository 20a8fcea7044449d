import { minorDigits } from '@lyceum/contracts';

/** An amount in minor units of its currency (ISO 4217), e.g. 4900 USD for 49 dollars and 4900 JPY for 4,900 yen. */
export interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** The amount as a decimal number with all its digits and a point, without the currency: `49.00`, `4900`, `4.900`. */
export function decimalOf({ amount, currency }: Money): string {
  const digits = minorDigits(currency);
  if (digits === 0) return String(amount);
  const all = String(Math.abs(amount)).padStart(digits + 1, '0');
  return `${amount < 0 ? '-' : ''}${all.slice(0, -digits)}.${all.slice(-digits)}`;
}
