import { type Collection, type Document, type Projection, rowAs } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { orderEvents } from '../order.events.ts';
import { isOrderId } from '../order.ids.ts';
import { evolve } from '../order.folding.ts';
import type { Order } from '../order.state.ts';

/** The read model behind lists of orders: ids only, no person stands in it. */
export const orders: Collection = {
  name: 'orders',
  version: 1,
  fields: {
    status: 'text',
    member_id: 'text',
    items: 'set',
    coupon: 'text',
    paid_at: 'text',
    created_at: 'text',
    updated_at: 'text',
  },
};

interface OrderRow extends Order {
  readonly member_id: string | null;
  readonly items: readonly string[];
  /** The code of its coupon. */
  readonly coupon_code: string | null;
}

/** The order of a row, without what is personal or secret. */
export const orderOfRow = (row: Document): Order => rowAs<OrderRow & { readonly order: Order }>(row).order;

/** The order without what is personal or secret. */
function impersonal(order: Order): Order {
  const { id, member_id } = order.buyer;
  return { ...order, buyer: { id, member_id }, secret_hash: null };
}

/** Folds the events of each order into its row. */
export const orderProjection: Projection = {
  collection: orders,
  key: ({ stream }) => (isOrderId(stream) ? stream : undefined),
  project(event, before): Document | null {
    const { at, version } = event;
    const next = evolve(before ? orderOfRow(before) : null, upcast(orderEvents, event), { at, version });
    if (!next) return null;
    const order = impersonal(next);
    const { status, buyer, lines, coupon, paid_at, created_at, updated_at } = order;
    return {
      order,
      status,
      member_id: buyer.member_id,
      items: lines.map(({ item_id }) => item_id),
      coupon: coupon?.code ?? null,
      paid_at,
      created_at,
      updated_at,
    };
  },
};
