import { z } from 'zod';
import { hasCardNumber, withoutCardNumber } from '../../input/card-number.ts';

/** A thing by its id, be it written out or not. */
const ref = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]);
const optionalRef = ref.nullish().transform((id) => id ?? null);

/**
 * An id of ours. People with access to the account may write anything into metadata: what is no id is neither kept nor
 * logged, be it the number of a card.
 */
const id = (of: 'school' | 'order' | 'payment') =>
  withoutCardNumber(z.string().regex(new RegExp(`^${of}_[\\w.-]{1,64}$`)));

/** What a payment is here: written into Stripe's metadata when it begins, and read from there ever after. */
const ours = z.object({
  school: id('school'),
  order_id: id('order'),
  payment_id: id('payment'),
  /** `session`: a person pays on Stripe's page; `charge`: without a person. */
  by: z.enum(['session', 'charge']),
});

/** What a payment is called here. */
export type Ours = z.infer<typeof ours>;

const metadata = z.record(z.string(), z.unknown()).nullish();
const amount = z.int().nonnegative();
/** Seconds since 1970. */
const created = z.int();

/** A Checkout Session, as far as it is read. @see https://docs.stripe.com/api/checkout/sessions/object */
export const sessionObject = z.object({
  object: z.literal('checkout.session'),
  id: z.string(),
  metadata,
  amount_total: amount.nullable(),
  currency: z.string().nullable(),
  payment_status: z.string(),
  expires_at: z.int().nullish(),
  status: z.string().nullable(),
  payment_intent: optionalRef,
  /** Where nothing is paid, and the person agrees to later charges. */
  setup_intent: optionalRef,
});

/** A SetupIntent, as far as it is read. @see https://docs.stripe.com/api/setup_intents/object */
export const setupObject = z.object({
  object: z.literal('setup_intent'),
  id: z.string(),
  status: z.string(),
  created,
  customer: optionalRef,
  payment_method: optionalRef,
});

/** A PaymentIntent, as far as it is read. @see https://docs.stripe.com/api/payment_intents/object */
export const intentObject = z.object({
  object: z.literal('payment_intent'),
  id: z.string(),
  metadata,
  amount,
  amount_received: amount.optional(),
  currency: z.string(),
  status: z.string(),
  created,
  customer: optionalRef,
  payment_method: optionalRef,
  setup_future_usage: z.string().nullish(),
  last_payment_error: z.object({ code: z.string().nullish() }).nullish(),
});

/** A Refund, as far as it is read. @see https://docs.stripe.com/api/refunds/object */
export const refundObject = z.object({
  object: z.literal('refund'),
  id: z.string(),
  metadata,
  amount,
  currency: z.string(),
  status: z.string().nullable(),
  failure_reason: z.string().nullish(),
  created,
  payment_intent: optionalRef,
});

/** A Dispute, as far as it is read. @see https://docs.stripe.com/api/disputes/object */
export const disputeObject = z.object({
  object: z.literal('dispute'),
  id: z.string(),
  amount,
  currency: z.string(),
  status: z.string(),
  created,
  payment_intent: optionalRef,
});

/** An Event, as far as it is read. @see https://docs.stripe.com/api/events/object */
export const eventObject = z.object({
  id: z.string(),
  type: z.string(),
  created,
  /** The connected account that it happened at; absent: the installation's own. */
  account: z.string().nullish(),
  data: z.object({ object: z.object({ object: z.string() }).loose() }),
});

/** What was written into the metadata of a payment; undefined when it is none of ours. */
export function oursIn(object: { readonly metadata?: unknown }): Ours | undefined {
  const read = ours.safeParse(object.metadata);
  return read.success ? read.data : undefined;
}

/** The id of a refund that was asked for here; undefined of one that somebody made at Stripe. */
export function refundIdIn(object: z.infer<typeof refundObject>): string | undefined {
  const named = object.metadata?.['refund_id'];
  const isOurs = typeof named === 'string' && /^(refund|return)_[\w.-]{1,80}$/.test(named) && !hasCardNumber(named);
  return isOurs ? named : undefined;
}
