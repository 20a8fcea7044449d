import { z } from 'zod';
import type { Json } from '../../../upstream/school-api.ts';
import { listIn } from '../api-result.ts';
import type { ListCursors } from '../list-cursor.ts';
import { listing } from '../list-page.ts';
import { cursor, limit, listOutput, money } from '../reading/result-fields.ts';
import { reading, tool } from '../tool.ts';

const statuses = [
  'pending',
  'paid',
  'partially_refunded',
  'refunded',
  'expired',
  'failed',
  'canceled',
  'disputed',
  'charged_back',
] as const;

const id = z.string().min(1).max(64);
// The service checks it: the pattern of a time would be the longest part of the list of tools.
const time = z.string().max(40).meta({ description: 'RFC 3339' });

/** What of an order is shown, as the commerce service describes it. */
const told = z.object({
  id: z.string(),
  number: z.int(),
  status: z.string(),
  source: z.string(),
  buyer: z.object({ member_id: z.string().nullable() }),
  lines: z.array(z.object({ item_type: z.string(), item_id: z.string(), title: z.string(), total: money })),
  total: money,
  coupon_code: z.string().nullable(),
  subscription_id: z.string().nullable(),
  placed_at: z.string(),
  paid_at: z.string().nullable(),
});

/** What has gone back of an order, minor units. */
const refundedOf = (row: Json): number =>
  listIn(row, 'refunds')
    .filter(({ state }) => state === 'done')
    .reduce((sum, { amount }) => sum + money.parse(amount).amount, 0);

function orderIn(row: Json): Json {
  const { buyer, ...rest } = told.parse(row);
  const refunded = { amount: refundedOf(row), currency: rest.total.currency };
  return { ...rest, member_id: buyer.member_id, refunded };
}

/** Orders, for those who run the school. Nobody's name or address is in the list. */
export const listOrders = (cursors: ListCursors) =>
  tool({
    name: 'list_orders',
    title: 'List orders',
    description: 'Who bought what and what became of it, newest first, in minor units.',
    input: z.strictObject({
      status: z.enum(statuses).optional(),
      member_id: id.optional(),
      item_id: id.optional(),
      coupon: z.string().min(1).max(40).optional().meta({ description: 'Its code' }),
      placed_after: time.optional(),
      placed_before: time.optional(),
      paid_after: time.optional(),
      paid_before: time.optional(),
      limit: limit(50, 20),
      cursor,
    }),
    output: listOutput,
    scopes: ['orders:read'],
    isForTokens: true,
    annotations: reading,
    run: listing(cursors, { tool: 'list_orders', path: '/api/orders', what: 'The list of orders' }, orderIn),
  });
