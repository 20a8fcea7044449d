import type { z } from 'zod';
import { type Given, wantedPrice } from '../values/prices.ts';
import type { ProductFields } from './product.fields.ts';
import type { changeProductBody, createProductBody } from './product.schema.ts';
import type { Changes } from './product.ts';

const blank: ProductFields = {
  title: '',
  summary: null,
  description: [],
  cover: null,
  access: 'free',
  download_limit: null,
  link_ttl_s: 3600,
};

/**
 * The changes that a merge patch asks for.
 * @see RFC 7396 §2
 */
export function changesOf({ prices, ...rest }: z.output<typeof changeProductBody>, given: Given): Changes {
  const set = Object.entries(rest).filter(([, value]) => value !== undefined);
  const changes = Object.fromEntries(
    set.map(([name, value]) => [name, value === null && name === 'description' ? [] : value]),
  ) as Changes;
  return prices === undefined
    ? changes
    : { ...changes, prices: (prices ?? []).map((each) => wantedPrice(each, given)) };
}

/** A new product from what the client said; the rest is blank. Prices without a stated access mean that it is sold. */
export function newProduct(body: z.output<typeof createProductBody>, given: Given) {
  const { slug: _named, prices = [], ...fields } = changesOf(body, given);
  const access = prices.length > 0 ? 'paid' : 'free';
  return { fields: { ...blank, access, ...fields } as ProductFields, prices };
}
