interface Amount {
  /** In minor units. */
  readonly amount: number;
  readonly currency: string;
}

const formatOf = (currency: string, language: string): Intl.NumberFormat =>
  new Intl.NumberFormat(language, { style: 'currency', currency });

const digitsOf = (format: Intl.NumberFormat): number => format.resolvedOptions().maximumFractionDigits ?? 2;

/** An amount in minor units as people write it in a language: 4900 USD is `$49.00`. A currency that is unknown is written as it stands. */
export function money({ amount, currency }: Amount, language = 'en'): string {
  try {
    const format = formatOf(currency, language);
    return format.format(amount / 10 ** digitsOf(format));
  } catch {
    return `${amount} ${currency}`;
  }
}

/** The same as a plain number: 4900 USD is `49.00`. */
export function decimal({ amount, currency }: Amount): string {
  const digits = digitsOf(formatOf(currency, 'en'));
  return (amount / 10 ** digits).toFixed(digits);
}
