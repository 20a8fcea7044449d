import { z } from 'zod';
import { published, subjectEvents } from './declaration.ts';
import { seatFacts } from './seats.ts';
import { subscriptionFacts } from './subscriptions.ts';

const coupon_id = z.string();

/** What happened to a coupon is its staff's to know: codes are in no event. */
const couponFeed = (means: string) => ({ feed: { scope: 'coupons:read', shows: 'staff', means } }) as const;

const plan_id = z.string();

const allOrSome = z.union([z.literal('all'), z.array(z.string())]).meta({ id: 'ShownGrantedItems' });

/** Items that a plan opens or closes; `item_id` null = everything of that type. */
const items = z.array(
  z
    .object({ item_type: z.enum(['course', 'digital_product']), item_id: z.string().nullable() })
    .meta({ id: 'PlanItem' }),
);

const planFeed = (means: string, shows: 'everyone' | 'staff') =>
  ({ scope: 'membership_plans:read', shows, means }) as const;

const order_id = z.string();
const member_id = z.string().nullable().meta({ description: 'null = nobody knows yet whose the order is' });
const amount = z.number().int().meta({ description: 'In minor units of the currency' });
/** What a line of an order is about. */
const line = { line_id: z.string(), item_type: z.string(), item_id: z.string() };
const lines = z.array(
  z
    .object({
      ...line,
      source_id: z.string().optional().meta({
        description:
          'What the access comes from, where it is not the line: access that is given again has another source',
      }),
      access_days: z.number().int().nullable().optional().meta({
        description: 'Days that access lasts, as it was sold; null = for ever, left out = as the item says',
      }),
    })
    .meta({ id: 'OrderedItem' }),
);

/** What happened to an order is the staff's to know. */
const orderFeed = (means: string) =>
  ({ feed: { scope: 'orders:read', shows: 'staff', means, of: 'order_id' } }) as const;

/** What becomes of orders. */
const orderFacts = {
  OrderPlaced: published(
    1,
    z.object({
      order_id,
      number: z.number().int(),
      source: z.string(),
      member_id,
      lines: z.array(
        z.object({
          ...line,
          title: z.string(),
          quantity: z.number().int(),
          unit_price: amount,
          discount: amount,
          tax: amount,
          total: amount,
        }),
      ),
      total: amount,
      currency: z.string(),
      coupon_id: z.string().nullable(),
      subscription_id: z.string().nullable(),
      expires_at: z.string(),
    }),
    orderFeed('An order was placed'),
  ),
  OrderPaid: published(
    1,
    z.object({
      order_id,
      payment_id: z.string().nullable().meta({ description: 'null = there was nothing to pay' }),
      provider: z.string(),
      event_id: z.string(),
      amount,
      currency: z.string(),
      paid_at: z.string(),
      member_id,
      lines: z.array(z.object({ ...line, total: amount, tax: amount })),
    }),
    orderFeed('An order was paid'),
  ),
  OrderBuyerAttached: published(
    1,
    z.object({ order_id, member_id: z.string() }),
    orderFeed('An order is this member’s'),
  ),
  OrderFulfillable: published(1, z.object({ order_id, member_id: z.string(), lines }), {
    means: 'The member is to get what the lines are about',
  }),
  OrderFulfilled: published(1, z.object({ order_id }), orderFeed('A member has all that an order is about')),
  OrderRefunded: published(
    1,
    z.object({
      order_id,
      refund_id: z.string(),
      amount,
      currency: z.string(),
      full: z.boolean().meta({ description: 'Nothing of what was paid is left' }),
      reason: z.string(),
      member_id,
      lines: lines.meta({ description: 'What is taken back with it' }),
    }),
    orderFeed('Something of an order was paid back'),
  ),
  /** A refund failed after it was told as done: the money is here. */
  OrderRefundReversed: published(
    1,
    z.object({
      order_id,
      refund_id: z.string(),
      amount,
      currency: z.string(),
      member_id,
      lines: lines.meta({ description: 'What the member has again' }),
    }),
    orderFeed('Something of an order was not paid back after all'),
  ),
  OrderDisputed: published(
    1,
    z.object({
      order_id,
      amount,
      member_id: member_id.optional(),
      lines: lines
        .optional()
        .meta({ description: 'To what access rests until the dispute is over; left out = to nothing' }),
    }),
    orderFeed('The payment of an order is disputed'),
  ),
  OrderDisputeResolved: published(
    1,
    z.object({
      order_id,
      won: z.boolean(),
      member_id,
      lines: lines.meta({ description: 'What is taken back, when the dispute was lost' }),
      restored: lines.optional().meta({ description: 'What the member has again, when the dispute was won' }),
      since: z.string().optional().meta({ description: 'RFC 3339: since when access to what is restored rested' }),
    }),
    orderFeed('The dispute about a payment is over'),
  ),
  OrderExpired: published(1, z.object({ order_id }), orderFeed('Nobody paid for an order in time')),
  OrderFailed: published(1, z.object({ order_id }), orderFeed('The payment of an order failed')),
  OrderCanceled: published(1, z.object({ order_id }), orderFeed('An order was canceled')),
} as const;

const document = {
  number: z.number().int().meta({ description: 'Counts the documents of its kind of the school from 1, without gaps' }),
  order_id,
  member_id,
  total: amount.meta({ description: 'In minor units, with the tax' }),
  tax_total: amount,
  currency: z.string(),
};

/** What was issued about a payment, and about money that went back. Seller and buyer stand in the document only. */
const invoiceFacts = {
  InvoiceIssued: published(
    1,
    z.object({ invoice_id: z.string(), ...document }),
    orderFeed('An invoice was issued for an order'),
  ),
  CreditNoteIssued: published(
    1,
    z.object({ invoice_id: z.string(), of_invoice_id: z.string(), refund_id: z.string(), ...document }),
    orderFeed('A credit note was issued for a refund'),
  ),
} as const;

/** What the commerce service publishes. */
export const commerceFacts = {
  ...subjectEvents,
  ...orderFacts,
  ...seatFacts,
  ...subscriptionFacts,
  ...invoiceFacts,
  CouponCreated: published(1, z.object({ coupon_id }), couponFeed('A coupon was made')),
  /** Its terms or its status. */
  CouponChanged: published(1, z.object({ coupon_id }), couponFeed('A coupon is different')),
  CouponRedeemed: published(
    1,
    z.object({ coupon_id, order_id: z.string(), amount, currency: z.string() }),
    couponFeed('A coupon took so much off an order'),
  ),
  CouponDeleted: published(1, z.object({ coupon_id }), couponFeed('A coupon was deleted')),
  /** A membership plan that is listed looks like this. */
  PlanShown: published(
    1,
    z.object({
      plan_id,
      slug: z.string(),
      name: z.string(),
      summary: z.string().nullable(),
      benefits: z.array(z.string()),
      position: z.number().int(),
      kind: z.string(),
      interval: z.string().nullable().meta({ description: 'null = for life' }),
      interval_count: z.number().int().nullable(),
      amount,
      currency: z.string(),
      trial_days: z.number().int(),
      plan_version: z.number().int().meta({ description: 'Of the terms that it is sold at, from 1' }),
      available: z.boolean().meta({ description: 'Whether one can subscribe now' }),
    }),
    { feed: planFeed('A public membership plan looks like this', 'everyone'), offer: 'membership_plan' },
  ),
  PlanHidden: published(1, z.object({ plan_id }), {
    feed: planFeed('A membership plan is listed no longer', 'everyone'),
    offer: 'membership_plan',
  }),
  /** Drafts too. */
  PlanChanged: published(1, z.object({ plan_id }), {
    feed: planFeed('A membership plan, drafts too, is different', 'staff'),
  }),
  PlanRetired: published(1, z.object({ plan_id }), { feed: planFeed('A membership plan is sold no more', 'staff') }),
  PlanDeleted: published(1, z.object({ plan_id }), { feed: planFeed('A membership plan was deleted', 'staff') }),
  /** What a plan opens, drafts too. */
  PlanGrantsChanged: published(
    1,
    z.object({
      plan_id,
      plan_version: z.number().int(),
      grants: z
        .object({
          courses: allOrSome,
          digital_products: allOrSome,
          posts: z.boolean(),
          event_discount_percent: z.number().int(),
        })
        .meta({ id: 'ShownPlanGrants' }),
      added: items,
      removed: items,
      keep_existing: z.boolean().meta({ description: 'Those who have it keep what is removed' }),
    }),
    { feed: planFeed('A membership plan, drafts too, opens something else', 'staff') },
  ),
} as const;
