import { type EventOf, type EventTypes, personal } from '@lyceum/kernel';
import { z } from 'zod';

/** What an order comes from: a checkout, a subscription whose next period or other plan is paid for, or a gift. */
export const orderSources = ['checkout', 'renewal', 'change', 'comp'] as const;

const id = z.string();

/** In minor units of the order's currency, as all amounts are. */
const amount = z.int();

/** RFC 3339 UTC. */
const time = z.string();

/** Days that access lasts from when it begins, as it was sold; null = for ever, absent = as the item says then. */
const access_days = z.int().nullable().optional();

/**
 * What is bought, by the line of the order that it stands in. `source_id`: under which the access is, when it is not the
 * line's own id, because what was given under that was taken back.
 */
const line = { line_id: id, item_type: z.string(), item_id: id, source_id: id.optional(), access_days };

const orderLine = z.object({
  line_id: id,
  item_type: z.string(),
  item_id: id,
  /** As it was called then. */
  title: z.string(),
  quantity: z.int(),
  unit_price: amount,
  discount: amount,
  tax: amount,
  total: amount,
  /** Whether a seat was held for it. */
  seat: z.boolean(),
  access_days,
});

/** A line of an order as it was placed. */
export type PlacedLine = z.output<typeof orderLine>;

const buyer = z.object({
  /** The member, or `buyer_<UUID>` for a guest: whose personal data the order has. */
  id,
  member_id: id.nullable(),
  email: personal(z.string(), './id').optional(),
  name: personal(z.string(), './id').optional(),
  /** What is to stand on the invoice beside the name, as the buyer gave it. */
  company: personal(z.string(), './id').optional(),
  address: personal(z.string(), './id').optional(),
  tax_id: personal(z.string(), './id').optional(),
  /** ISO 3166-1 alpha-2: it stays when the person is erased. */
  country: z.string().optional(),
  /** BCP 47, in which the buyer is written to; absent = that of the account, or of the school. */
  language: z.string().optional(),
});

const lines = z.array(z.object(line));

/** A payment that is wanted, or was. */
const payment = { payment_id: id, provider: z.string() };

/** By what the provider calls the event. */
const event_id = z.string();

/** What the provider calls the payment. */
const reference = z.string().optional();

/** Where the order is one for a subscription, which follows from it what becomes of it. */
const subscription = { subscription_id: id.optional() };

/** To what access rests, and whose it is; absent = to nothing. */
const resting = { member_id: id.nullable().optional(), lines: lines.optional() };

/** The facts of an order and of the payments for it, in a stream named after its id. Card data is in none. */
export const orderEvents = {
  OrderPlaced: {
    version: 1,
    data: z.object({
      /** Counts the orders of the school, without gaps, from 1. */
      number: z.int(),
      source: z.enum(orderSources),
      buyer,
      lines: z.array(orderLine),
      subtotal: amount,
      discount_total: amount,
      tax_total: amount,
      total: amount,
      currency: z.string(),
      /** `rate_bp`: hundredths of a per cent. */
      tax: z.object({ inclusive: z.boolean(), rate_bp: z.int() }),
      /** `redeemers`: the streams that count how often its buyer has used it. */
      coupon: z.object({ coupon_id: id, code: z.string(), redeemers: z.array(id) }).nullable(),
      subscription_id: id.nullable(),
      /** Whether who pays agrees to later charges; absent = no. */
      saves_agreement: z.boolean().optional(),
      /** Why it was given, in words of the operator; absent = it was bought. */
      reason: z.string().optional(),
      /** SHA-256 of the secret by which a guest reads the order, base64url; null = there is none. */
      secret_hash: z.string().nullable(),
      /** Until then it can be paid; what is held for it is held until `holds_until`. */
      expires_at: time,
      holds_until: time,
    }),
  },
  /** A payment is wanted. The one that was before counts no more, unless it is captured all the same. */
  PaymentStarted: { version: 1, data: z.object({ ...payment, amount }) },
  /** The provider takes the payment at `url`; null = elsewhere, e.g. by a bank transfer with the `reference`. */
  PaymentOpened: { version: 1, data: z.object({ payment_id: id, reference: z.string(), url: z.string().nullable() }) },
  /** `reason`: why the provider never takes it, where it said so when it was asked, in words for operators. */
  PaymentFailed: {
    version: 1,
    data: z.object({ payment_id: id, event_id, reason: z.string().optional(), ...subscription }),
  },
  /** The person has paid, and the money is on its way: it comes, or fails, in days. */
  PaymentProcessing: { version: 1, data: z.object({ payment_id: id, event_id }) },
  /** Until when the order can be paid from now on, and what is held for it is held. */
  PaymentTimeSet: { version: 1, data: z.object({ expires_at: time, holds_until: time, ...subscription }) },
  /** `payment_id` is null when there was nothing to pay. */
  OrderPaid: {
    version: 1,
    data: z.object({
      payment_id: id.nullable(),
      provider: z.string(),
      event_id,
      amount,
      currency: z.string(),
      paid_at: time,
      member_id: id.nullable(),
      /** For charges without the person, at the provider. */
      agreement: z.string().optional(),
      reference,
      lines: z.array(z.object({ line_id: id, item_type: z.string(), item_id: id, total: amount, tax: amount })),
    }),
  },
  OrderFailed: { version: 1, data: z.object({}) },
  OrderExpired: { version: 1, data: z.object(subscription) },
  OrderCanceled: { version: 1, data: z.object({ reason: z.string(), ...subscription }) },
  /** Money came that is not wanted any more: it goes back, under the id of a refund. */
  LatePaymentReturned: {
    version: 1,
    data: z.object({
      payment_id: id,
      refund_id: id,
      event_id,
      amount,
      currency: z.string(),
      reason: z.string(),
      reference,
    }),
  },
  /** The provider has paid it back. */
  PaymentReturned: { version: 1, data: z.object({ payment_id: id, refund_id: id }) },
  /** The operator wants something paid back. `line_ids`: what is taken back with it. */
  RefundRequested: {
    version: 1,
    data: z.object({ refund_id: id, payment_id: id, amount, line_ids: z.array(id), reason: z.string() }),
  },
  /** `noticed`: the provider told so later. It may be a refund that nobody asked for here. */
  RefundFailed: {
    version: 1,
    data: z.object({
      refund_id: id,
      reason: z.string(),
      noticed: z.object({ event_id, payment_id: id, amount }).optional(),
    }),
  },
  /** A provider said that a payment was paid back before it said that it was paid. */
  RefundNoticed: { version: 1, data: z.object({ refund_id: id, payment_id: id, event_id, amount }) },
  /** `lines`: what was taken back with it. `full`: nothing of what was paid is left. */
  OrderRefunded: {
    version: 1,
    data: z.object({
      refund_id: id,
      payment_id: id.nullable(),
      event_id,
      amount,
      currency: z.string(),
      full: z.boolean(),
      reason: z.string(),
      member_id: id.nullable(),
      lines,
      ...subscription,
    }),
  },
  /** Money that had gone back came back: it was not refunded after all. `lines`: what the member has again. */
  RefundReversed: {
    version: 1,
    data: z.object({
      refund_id: id,
      payment_id: id,
      event_id,
      amount,
      currency: z.string(),
      reason: z.string(),
      member_id: id.nullable(),
      lines,
    }),
  },
  /** A provider told of a dispute, or of its end, before it said that its payment was made. */
  DisputeNoticed: {
    version: 1,
    data: z.object({ payment_id: id, event_id, kind: z.enum(['disputed', 'dispute_won', 'dispute_lost']), amount }),
  },
  /** `lines`: to what access rests until the dispute is over. */
  OrderDisputed: { version: 1, data: z.object({ payment_id: id, event_id, amount, ...resting, ...subscription }) },
  /** `lines`: what was taken back, when the dispute was lost. `restored`: what rested since and the member has again. */
  OrderDisputeResolved: {
    version: 1,
    data: z.object({
      payment_id: id,
      event_id,
      won: z.boolean(),
      member_id: id.nullable(),
      lines,
      restored: lines.optional(),
      since: time.optional(),
      ...subscription,
    }),
  },
  /** What a provider said does not fit the order: nothing followed from it, and the operator is told `reason`. */
  NoticeRefused: {
    version: 1,
    data: z.object({
      event_id,
      kind: z.string(),
      payment_id: id,
      amount,
      currency: z.string(),
      reason: z.string(),
    }),
  },
  /** The operator has dealt with what a provider said and was refused. */
  NoticeDismissed: { version: 1, data: z.object({ event_id }) },
  OrderBuyerAttached: { version: 1, data: z.object({ member_id: id }) },
  /** It is paid, and whose it is is known: the member is to get what the lines are about. */
  OrderFulfillable: { version: 1, data: z.object({ member_id: id, lines, ...subscription }) },
  /** The member has what the line is about. */
  OrderLineFulfilled: { version: 1, data: z.object({ line_id: id }) },
  OrderFulfilled: { version: 1, data: z.object({}) },
} as const satisfies EventTypes;

/** An event of an order. */
export type OrderEvent = EventOf<typeof orderEvents>;

/** The data of an event of an order. */
export type OrderData<T extends OrderEvent['type']> = Extract<OrderEvent, { type: T }>['data'];
