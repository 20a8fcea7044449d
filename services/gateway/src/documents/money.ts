/** An amount in minor units as people write it in a language: 4900 USD is `$49.00`. A currency that is unknown is written as it stands. */
export function money(
  { amount, currency }: { readonly amount: number; readonly currency: string },
  language = 'en',
): string {
  try {
    const format = new Intl.NumberFormat(language, { style: 'currency', currency });
    const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
    return format.format(amount / 10 ** digits);
  } catch {
    return `${amount} ${currency}`;
  }
}
