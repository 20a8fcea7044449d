import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { productAccessEvents } from './product-access.events.ts';

/** Whether a stream is of somebody's access to a digital product. */
export const isOfProductAccess = (stream: string): boolean => stream.startsWith('product_access_');

/** What other services hear of the access to a digital product: all of it, for it names nobody but by id. */
export function productAccessFact(recorded: RecordedEvent): FactOf<'learning'> | undefined {
  if (!isOfProductAccess(recorded.stream)) return undefined;
  const enrollment_id = recorded.stream;
  const event = upcast(productAccessEvents, recorded);
  switch (event.type) {
    case 'AccessGranted':
      return { type: event.type, data: { enrollment_id, ...item(event.data) } };
    case 'AccessExtended':
      return { type: event.type, data: { enrollment_id, ...item(event.data) } };
    case 'AccessRevoked':
      return { type: event.type, data: { enrollment_id, ...item(event.data) } };
    case 'DownloadIssued': {
      const { expires_at: _until, ...data } = event.data;
      return { type: event.type, data: { enrollment_id, ...data } };
    }
  }
}

const item = <Data extends { readonly product_id: string }>({ product_id, ...data }: Data) => ({
  ...data,
  item_type: 'digital_product',
  item_id: product_id,
});
