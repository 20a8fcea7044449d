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

/** The day of an instant (RFC 3339) in a time zone, as people write it in a language. */
export const dayIn = (language: string, timeZone: string, at: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }).format(Date.parse(at));

/** The same with the time of day and the zone. */
export const momentIn = (language: string, timeZone: string, at: string): string =>
  new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(Date.parse(at));
