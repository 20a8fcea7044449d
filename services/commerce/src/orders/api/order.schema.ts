import { z } from 'zod';
import { money } from '../../money/money.schema.ts';
import { orderSources } from '../order.events.ts';
import { orderStatuses } from '../order.state.ts';

const time = z.iso.datetime();

/** A line of an order. */
const orderLine = z
  .object({
    id: z.string().meta({ example: 'order_0195a3c2-7d10-7abc-8def-0123456789ab.1' }),
    item_type: z.string().meta({ description: 'course, digital_product or membership_plan.' }),
    item_id: z.string(),
    title: z.string().meta({ description: 'As it was called when it was bought.' }),
    quantity: z.int(),
    unit_price: money,
    discount: money,
    tax: money.meta({ description: 'In the total.' }),
    total: money,
    revoked: z.boolean().meta({ description: 'Whether it was taken back, with a refund or a lost dispute.' }),
    suspended: z.boolean().meta({ description: 'Whether access to it rests, as its payment is disputed.' }),
  })
  .meta({ id: 'OrderLine', description: 'Something that is bought.' });

const payment = z
  .object({
    id: z.string(),
    provider: z.string(),
    state: z
      .enum(['created', 'open', 'processing', 'failed', 'captured', 'returned', 'disputed', 'charged_back'])
      .meta({ description: 'processing: paid, and the money is on its way for days.' }),
    amount: money,
    paid_at: time.nullable(),
    failure: z.string().optional().meta({ description: 'For the staff: why the provider never takes it.' }),
  })
  .meta({ id: 'Payment', description: 'A payment for an order. Of cards nothing is known here.' });

const refund = z
  .object({
    id: z.string(),
    state: z.enum(['requested', 'noticed', 'done', 'failed', 'returning', 'returned']).meta({
      description: 'returning, returned: of a payment that was not wanted any more.',
    }),
    amount: money,
    reason: z.string(),
    failure: z.string().nullable().meta({ description: 'Why the money did not go back, where it failed.' }),
    at: time,
  })
  .meta({ id: 'Refund', description: 'Money that goes back.' });

const fields = {
  id: z.string().meta({ example: 'order_0195a3c2-7d10-7abc-8def-0123456789ab' }),
  object: z.literal('order'),
  number: z.int().meta({ description: 'Counts the orders of the school from 1, without gaps.' }),
  status: z.enum(orderStatuses),
  lines: z.array(orderLine),
  subtotal: money,
  discount_total: money,
  tax_total: money,
  total: money,
  currency: z.string(),
  coupon_code: z.string().nullable(),
  subscription_id: z.string().nullable(),
  payments: z.array(payment),
  refunds: z.array(refund),
  placed_at: time,
  paid_at: time.nullable(),
  fulfilled_at: time.nullable().meta({ description: 'When the member had everything that was bought.' }),
  expires_at: time.meta({ description: 'Until when it can be paid.' }),
  source: z.enum(orderSources).meta({
    description: 'renewal: the next period of a subscription; change: another plan of one; comp: given for nothing.',
  }),
};

const last = { created_at: time, updated_at: time, version: z.int().min(1) };

/** An order as the staff read it. */
export const orderReply = z
  .object({
    ...fields,
    buyer: z.object({
      member_id: z.string().nullable().meta({ description: 'null until a guest is known as a member.' }),
      email: z.string().nullable().meta({
        description: 'The address that a guest gave; where one order is read. That of a member stands with the member.',
      }),
      name: z.string().nullable(),
    }),
    refused: z
      .array(z.object({ event_id: z.string(), kind: z.string(), reason: z.string(), dismissed: z.boolean() }))
      .meta({
        description:
          'What a provider said that did not fit; nothing followed from it. dismissed: the operator has dealt with it.',
      }),
    reason: z.string().nullable().meta({ description: 'Why it was given; null = it was bought.' }),
    ...last,
    view: z.enum(['anonymous', 'member', 'staff']),
  })
  .meta({ id: 'Order', description: 'What somebody bought, or is about to.' });

/** An order as its buyer reads it. */
export const ownOrder = z
  .object({ ...fields, ...last })
  .meta({ id: 'OwnOrder', description: 'Something that the person bought.' });

/** The order of a path. */
export const orderParams = z.object({
  order: z
    .string()
    .regex(/^order_[0-9a-f-]{36}$/)
    .meta({ description: 'Id of the order.' }),
});
