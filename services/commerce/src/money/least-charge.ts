/**
 * The least that a card is charged, in minor units, where the money is settled in the same currency. Of other currencies it
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

/** The least amount of a currency that can be charged everywhere, in minor units; 1 where nothing more is known. */
export const leastCharge = (currency: string): number => least[currency] ?? 1;
