import { minorDigits } from '@lyceum/contracts';
import type { Money } from '../money/money.ts';

/** An amount as people write it in a language (BCP 47): 4900 USD is `$49.00`. An unknown currency stands as it is. */
export function moneyIn(language: string, { amount, currency }: Money): string {
  const digits = minorDigits(currency);
  const shown = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  try {
    return new Intl.NumberFormat(language, shown).format(amount / 10 ** digits);
  } catch {
    return `${amount} ${currency}`;
  }
}
