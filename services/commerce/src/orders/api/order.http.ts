import { fold } from '@lyceum/eventlog';
import { heads } from '@lyceum/service';
import {
  type Operation,
  Problem,
  asOf,
  fieldsOf,
  filterConditions,
  given,
  listFilters,
  listOf,
  listReply,
  operation,
  orderOf,
} from '@lyceum/web';
import { instant } from '@lyceum/contracts';
import { z } from 'zod';
import { orderOfRow, orders } from './order.rows.ts';
import { orderParams, orderReply, ownOrder } from './order.schema.ts';
import { orderStatuses } from '../order.state.ts';
import { orderDecider } from '../deciding/order.ts';
import { orderDocument } from './order.view.ts';

const reading = {
  area: 'orders',
  scope: 'orders:read',
  anonymous: true,
  roles: heads,
  method: 'GET',
  status: 200,
} as const;

const itemId = z.string().min(1).max(64);

/** Lists the orders of a school for those who run it. */
const listOrders = operation({
  ...reading,
  id: 'listOrders',
  path: '/api/orders',
  summary: 'List orders',
  description:
    'For owners and admins, newest first; without a token the list is empty. The list follows writes with a short delay: see Consistency-Token. E-mail addresses stand where one order is read.',
  readModel: orders,
  query: z.strictObject({
    ...listFilters,
    status: z.enum(orderStatuses).optional(),
    member_id: itemId.optional(),
    item_id: itemId.optional().meta({ description: 'Orders with a line about it.' }),
    coupon: z.string().trim().toUpperCase().min(1).max(40).optional().meta({ description: 'Code of the coupon.' }),
    placed_after: instant().optional(),
    placed_before: instant().optional(),
    paid_after: instant().optional(),
    paid_before: instant().optional(),
    ...fieldsOf(orderReply),
  }),
  reply: listOf(orderReply),
  async handle(call, { documents }) {
    const sort = orderOf(call.query);
    if (!call.principal) return listReply({ items: [], more: false }, () => undefined, sort);
    const { status, member_id, item_id, coupon, placed_after, placed_before, paid_after, paid_before } = call.query;
    const where = [
      ...given(status, (is) => ({ field: 'status', is })),
      ...given(member_id, (is) => ({ field: 'member_id', is })),
      ...given(item_id, (has) => ({ field: 'items', has })),
      ...given(coupon, (is) => ({ field: 'coupon', is })),
      ...given(placed_after, (above) => ({ field: 'created_at', above })),
      ...given(placed_before, (below) => ({ field: 'created_at', below })),
      ...given(paid_after, (above) => ({ field: 'paid_at', above })),
      ...given(paid_before, (below) => ({ field: 'paid_at', below })),
      ...filterConditions(call.query),
    ];
    const page = await documents.query(orders, call.school, { where, sort, ...call.page });
    return listReply(page, ({ id, body }) => orderDocument(id, orderOfRow(body), call.view), sort);
  },
});

/** Reads one order. */
const getOrder = operation({
  ...reading,
  id: 'getOrder',
  path: '/api/orders/{order}',
  summary: 'Read an order',
  description: 'As of now, with its payments and refunds.',
  params: orderParams,
  reply: orderReply,
  async handle(call, { log }) {
    if (!call.principal) throw new Problem('not_found');
    const { state, ...found } = await fold(log, orderDecider, call.school, call.params.order);
    if (!state) throw new Problem('not_found');
    return { body: orderDocument(call.params.order, state, call.view), ...asOf(found) };
  },
});

/** Lists the orders of the token's person. */
const listOwnOrders = operation({
  id: 'listOwnOrders',
  method: 'GET',
  path: '/api/account/orders',
  area: 'account',
  scope: 'account:read',
  anonymous: false,
  staff: [],
  status: 200,
  summary: 'List your orders',
  description: 'What you bought, newest first. The list follows writes with a short delay: see Consistency-Token.',
  readModel: orders,
  query: z.strictObject({ ...listFilters, status: z.enum(orderStatuses).optional(), ...fieldsOf(ownOrder) }),
  reply: listOf(ownOrder),
  async handle(call, { documents }) {
    const sort = orderOf(call.query);
    if (!call.principal) throw new Problem('access_denied');
    const where = [
      { field: 'member_id', is: call.principal.subject },
      ...given(call.query.status, (is) => ({ field: 'status', is })),
      ...filterConditions(call.query),
    ];
    const page = await documents.query(orders, call.school, { where, sort, ...call.page });
    return listReply(page, ({ id, body }) => orderDocument(id, orderOfRow(body), 'member'), sort);
  },
});

/** What is read of orders. */
export const orderOperations: readonly Operation[] = [listOrders, getOrder, listOwnOrders];
