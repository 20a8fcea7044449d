import { type Money, decimalOf } from '../../money/money.ts';
import { stripeAmount } from './stripe-amounts.ts';

/**
 * The least that Stripe takes, in its units, where the money is settled in the same currency. Of other currencies it
 * follows from the account and the day: Stripe says it when it is asked.
 * @see https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
 */
const least: Readonly<Record<string, number>> = {
  USD: 50,
  AED: 200,
  AUD: 50,
  BGN: 100,
  BRL: 50,
  CAD: 50,
  CHF: 50,
  CZK: 1_500,
  DKK: 250,
  EUR: 50,
  GBP: 30,
  HKD: 400,
  HUF: 17_500,
  INR: 50,
  JPY: 50,
  MXN: 1_000,
  MYR: 200,
  NOK: 300,
  NZD: 50,
  PLN: 200,
  RON: 200,
  SEK: 300,
  SGD: 50,
  THB: 1_000,
};

/** Amounts have eight digits at most, but for some currencies of small units, of which Stripe says it when it is asked. */
const most = 99_999_999;
const longer = new Set(['COP', 'HUF', 'IDR', 'INR', 'JPY', 'LBP']);
const mostOfLonger = 999_999_999_999;

/** Why Stripe takes no such payment, in words for buyers; undefined when it may. 0: nothing is paid, but agreed to. */
export function refusedByStripe(money: Money): string | undefined {
  const { amount, currency } = money;
  if (amount === 0) return undefined;
  const said = `${decimalOf(money)} ${currency}`;
  try {
    const units = stripeAmount(money);
    if (units < (least[currency] ?? 1)) return `Stripe takes no amount as small as ${said}`;
    if (units > (longer.has(currency) ? mostOfLonger : most)) return `Stripe takes no amount as large as ${said}`;
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return `Stripe takes no amount of ${said}`;
    throw error;
  }
}
