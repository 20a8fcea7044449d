import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { priceFact } from '../values/prices.ts';
import { productEvents } from './product.events.ts';

/** What other services hear of a digital product: what it is while it is public, that it is not any more, and its prices always. */
export function productFact(recorded: RecordedEvent, at: string): FactOf<'catalog'> | undefined {
  if (!recorded.stream.startsWith('product_')) return undefined;
  const event = upcast(productEvents, recorded);
  const product_id = recorded.stream;
  switch (event.type) {
    case 'DigitalProductShown':
      return { type: 'DigitalProductShown', data: { product_id, ...event.data } };
    case 'DigitalProductUnpublished':
    case 'DigitalProductArchived':
      return { type: event.type, data: { product_id } };
    case 'PriceSet':
    case 'PriceRemoved':
      return priceFact({ item_type: 'digital_product', item_id: product_id }, event, at);
    default:
      return undefined;
  }
}
