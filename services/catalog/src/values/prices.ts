import { type FactOf, largestAmount } from '@lyceum/contracts';
import type { Detail } from '@lyceum/kernel';
import { z } from 'zod';

const amount = z.int().min(0).meta({
  description: 'In minor units of the currency; a new price is at most 99,999,999.99.',
  example: 4900,
});
const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code')
  .meta({ description: 'ISO 4217 code: the currency of the school.', example: 'USD' });

/** An id that another area or service has given. */
export const opaqueId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be an id');

/** The prices as clients read them. */
export const pricesReply = z.array(z.object({ id: z.string(), amount, currency }).meta({ id: 'Price' }));

const priceBody = z
  .strictObject({
    id: opaqueId.optional().meta({ description: 'Names a price that it has; left out for a new one.' }),
    amount,
    currency: currency.optional().meta({ description: 'Default, and only value: the currency of the school.' }),
  })
  .meta({ id: 'SetPrice' });

/** The prices as clients set them. */
export const pricesBody = z.array(priceBody).max(10);

/** One price, in minor units. */
export interface Price {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
}

/** A price that should be there. `fresh`: the id was made for it; otherwise it names one that there is. */
export interface WantedPrice extends Price {
  readonly fresh: boolean;
}

/** What turns prices of a request into wanted ones: the school's currency, and ids for new prices. */
export interface Given {
  readonly currency: string;
  newPriceId(): string;
}

/** The price that a client asked for. */
export const wantedPrice = ({ id, amount, currency }: z.output<typeof priceBody>, given: Given): WantedPrice => ({
  id: id ?? given.newPriceId(),
  fresh: id === undefined,
  amount,
  currency: currency ?? given.currency,
});

const isEqual = (one: Price, other: Price): boolean => one.amount === other.amount && one.currency === other.currency;

/** The events that move prices. */
export const priceEventTypes = {
  PriceSet: { version: 1, data: z.object({ price_id: opaqueId, amount, currency }) },
  PriceRemoved: { version: 1, data: z.object({ price_id: opaqueId }) },
} as const;

type PriceEvent =
  | { readonly type: 'PriceSet'; readonly data: { price_id: string; amount: number; currency: string } }
  | { readonly type: 'PriceRemoved'; readonly data: { price_id: string } };

type PriceFact = Extract<FactOf<'catalog'>, { type: PriceEvent['type'] }>;

/** What other services hear of a price, of a draft too: it counts from the time of its commit. */
export const priceFact = (
  item: Pick<PriceFact['data'], 'item_type' | 'item_id'>,
  event: PriceEvent,
  effective_at: string,
): PriceFact =>
  event.type === 'PriceSet'
    ? { type: event.type, data: { ...item, ...event.data, effective_at } }
    : { type: event.type, data: { ...item, ...event.data, effective_at } };

/**
 * The events that lead from some prices to the wanted ones. A price sent without its id is the one of the same amount, if
 * there is one: repeating a list changes nothing.
 */
export function priceEvents(prices: readonly Price[], wanted: readonly WantedPrice[]): readonly PriceEvent[] {
  const named = new Set(wanted.filter((price) => !price.fresh).map((price) => price.id));
  const unnamed = prices.filter((price) => !named.has(price.id));
  const kept = new Set(named);
  const set: PriceEvent[] = [];
  for (const { id, amount, currency, fresh } of wanted) {
    const equal = (price: Price) => price.amount === amount && price.currency === currency;
    const match = fresh
      ? unnamed.find((price) => !kept.has(price.id) && equal(price))
      : prices.find((price) => price.id === id && equal(price));
    if (match) kept.add(match.id);
    else set.push({ type: 'PriceSet', data: { price_id: id, amount, currency } });
  }
  const gone = prices.filter((price) => !kept.has(price.id));
  return [...gone.map(({ id }): PriceEvent => ({ type: 'PriceRemoved', data: { price_id: id } })), ...set];
}

/** The prices after an event. */
export function evolvePrices(prices: readonly Price[], event: PriceEvent): readonly Price[] {
  if (event.type === 'PriceRemoved') return prices.filter(({ id }) => id !== event.data.price_id);
  const { price_id: id, amount, currency } = event.data;
  const price: Price = { id, amount, currency };
  return prices.some((old) => old.id === id) ? prices.map((old) => (old.id === id ? price : old)) : [...prices, price];
}

/**
 * What is wrong with wanted prices: one names none that there is, is in another currency than the school's, or is larger than
 * amounts can be. A larger one that is there already stays as it is.
 */
export const priceFaults = (
  prices: readonly Price[],
  wanted: readonly WantedPrice[],
  currency: string,
): readonly Detail[] =>
  wanted.flatMap((price, index) => {
    if (!price.fresh && !prices.some(({ id }) => id === price.id))
      return [{ path: `prices.${index}.id`, code: 'unknown_price', message: 'there is no such price' }];
    if (price.currency !== currency)
      return [{ path: `prices.${index}.currency`, code: 'currency_mismatch', message: `must be ${currency}` }];
    const most = largestAmount(currency);
    if (price.amount <= most || prices.some((old) => isEqual(old, price))) return [];
    return [{ path: `prices.${index}.amount`, code: 'too_large', message: `must be at most ${most}` }];
  });
