import { minorDigits } from '@lyceum/contracts';

interface Amount {
  /** In minor units. */
  readonly amount: number;
  readonly currency: string;
}

/** An amount in minor units as people write it in a language: 4900 USD is `$49.00`. A currency that is unknown is written as it stands. */
export function money({ amount, currency }: Amount, language = 'en'): string {
  const digits = minorDigits(currency);
  try {
    return new Intl.NumberFormat(language, {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    }).format(amount / 10 ** digits);
  } catch {
    return `${amount} ${currency}`;
  }
}

/** The same as a plain number: 4900 USD is `49.00`. */
export function decimal({ amount, currency }: Amount): string {
  const digits = minorDigits(currency);
  return (amount / 10 ** digits).toFixed(digits);
}
