import { minorDigits } from '@lyceum/contracts';
import type { Money } from '../../money/money.ts';

/** Currencies without a minor unit. @see https://docs.stripe.com/currencies#zero-decimal */
const zeroDecimal = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));

/** Currencies with three digits, of which the last must be 0. @see https://docs.stripe.com/currencies#three-decimal */
const threeDecimal = new Set('BHD JOD KWD OMR TND'.split(' '));

/**
 * Digits behind the point of the amounts that Stripe takes. They are not those of ISO 4217 everywhere: amounts of ISK and
 * UGX, which have no minor unit, have two. @see https://docs.stripe.com/currencies#special-cases
 */
function stripeDigits(currency: string): number {
  if (zeroDecimal.has(currency)) return 0;
  return threeDecimal.has(currency) ? 3 : 2;
}

/** How many of Stripe's units one of ours is, as a fraction. */
function ratio(currency: string): readonly [bigint, bigint] {
  const more = stripeDigits(currency) - minorDigits(currency);
  return more >= 0 ? [10n ** BigInt(more), 1n] : [1n, 10n ** BigInt(-more)];
}

/** The amount as Stripe takes it. Throws a RangeError, in words for operators, for one that Stripe cannot take. */
export function stripeAmount({ amount, currency }: Money): number {
  const [more, less] = ratio(currency);
  const units = BigInt(amount) * more;
  const step = threeDecimal.has(currency) ? 10n : 1n;
  if (units % (less * step) !== 0n || units / less > BigInt(Number.MAX_SAFE_INTEGER))
    throw new RangeError(`Stripe takes no amount of ${amount} minor units of ${currency}`);
  return Number(units / less);
}

/**
 * An amount as Stripe states it, in minor units of its currency, which it writes in lower case. What is less than one unit
 * is left out: such an amount is never one that was asked for.
 */
export function moneyOf(amount: number, stripeCurrency: string): Money {
  const currency = stripeCurrency.toUpperCase();
  const [more, less] = ratio(currency);
  return { amount: Number((BigInt(amount) * less) / more), currency };
}
