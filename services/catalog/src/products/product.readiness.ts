import type { Detail } from '@lyceum/kernel';
import type { Product } from './product.state.ts';

/** What a product still lacks to be published; empty when it is ready. `path` is the field that mends it. */
export const unmet = ({ access, prices, files }: Product, currency: string): readonly Required<Detail>[] => [
  ...(access === 'paid' && prices.length === 0
    ? [{ code: 'price_missing', path: 'prices', message: 'A product with access paid needs a price' }]
    : []),
  ...(prices.some((price) => price.currency !== currency)
    ? [{ code: 'price_currency', path: 'prices', message: 'Every price must be in the currency of the school' }]
    : []),
  ...(files.length === 0 ? [{ code: 'file_missing', path: 'files', message: 'A product needs a file' }] : []),
];
