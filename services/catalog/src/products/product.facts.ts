import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { type ProductEvent, productEvents } from './product.events.ts';

/** What other services hear of a digital product: what it is while it is public, and that it is not any more. */
export function productFact(recorded: RecordedEvent): FactOf<'catalog'> | undefined {
  if (!recorded.stream.startsWith('product_')) return undefined;
  const event = upcast(productEvents, recorded) as ProductEvent;
  const product_id = recorded.stream;
  switch (event.type) {
    case 'DigitalProductShown':
      return { type: 'DigitalProductShown', data: { product_id, ...event.data } };
    case 'DigitalProductUnpublished':
    case 'DigitalProductArchived':
      return { type: event.type, data: { product_id } };
    default:
      return undefined;
  }
}
