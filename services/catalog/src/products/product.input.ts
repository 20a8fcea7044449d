import { changesIn } from '@lyceum/service';
import type { z } from 'zod';
import type { Cover } from '../values/covers.ts';
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

/** The changes that a merge patch asks for. */
export function changesOf(body: z.output<typeof changeProductBody>, given: Given, cover: Cover = {}): Changes {
  const { prices, cover: _said, ...patch } = body;
  const changes: Changes = { ...changesIn(patch, { description: [] }), ...cover };
  return prices === undefined
    ? changes
    : { ...changes, prices: (prices ?? []).map((each) => wantedPrice(each, given)) };
}

/** A new product from what the client said; the rest is blank. Prices without a stated access mean that it is sold. */
export function newProduct(body: z.output<typeof createProductBody>, given: Given, cover: Cover = {}) {
  const { slug: _named, prices = [], cover_file = null, ...fields } = changesOf(body, given, cover);
  const access = prices.length > 0 ? 'paid' : 'free';
  return { fields: { ...blank, access, ...fields } as ProductFields, prices, cover_file };
}
