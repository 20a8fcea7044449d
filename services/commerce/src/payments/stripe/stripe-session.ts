import type Stripe from 'stripe';
import type { z } from 'zod';
import type { WantedPayment } from '../payment-provider.ts';
import { stripeAmount } from './stripe-amounts.ts';
import type { Ours, intentObject, sessionObject, setupObject } from './stripe-objects.ts';

/** How long after its order a session may last, at most, in seconds: it must last half an hour when it begins. */
const sessionGrace = 1_800;
/** Stripe's longest session is a day. */
const longest = 23 * 3_600;

/** What a payment is called here, as it is written into Stripe's metadata. */
export const metadataOf = ({ school, order_id, payment_id }: Omit<Ours, 'by'>, by: Ours['by']) => ({
  school,
  order_id,
  payment_id,
  by,
});

/** Follows from the order, so that a repeated request is the same: Stripe refuses another one under the same key. */
function expiry({ started_at, expires_at }: WantedPayment): { readonly expires_at?: number } {
  const seconds = Math.floor(Date.parse(expires_at) / 1_000) + sessionGrace;
  return seconds - Date.parse(started_at) / 1_000 > longest ? {} : { expires_at: seconds };
}

/**
 * The session by which a person pays, or agrees to later charges where nothing is to be paid now, as for a trial.
 * @see https://docs.stripe.com/api/checkout/sessions/create
 */
export function sessionParams(wanted: WantedPayment): Stripe.Checkout.SessionCreateParams {
  const { amount, order_id, title, return_url, save_agreement } = wanted;
  const currency = wanted.currency.toLowerCase();
  const metadata = metadataOf(wanted, 'session');
  const common = {
    client_reference_id: order_id,
    success_url: return_url,
    cancel_url: return_url,
    ...expiry(wanted),
    ...(save_agreement ? { customer_creation: 'always' as const } : {}),
  };
  if (amount === 0)
    return {
      ...common,
      mode: 'setup',
      currency,
      // Sessions that nothing is paid by need not say their currency later.
      metadata: { ...metadata, currency },
      setup_intent_data: { metadata },
    };
  const price_data = { currency, unit_amount: stripeAmount(wanted), product_data: { name: title } };
  return {
    ...common,
    mode: 'payment',
    line_items: [{ quantity: 1, price_data }],
    metadata,
    payment_intent_data: { metadata, ...(save_agreement ? { setup_future_usage: 'off_session' as const } : {}) },
  };
}

/** What a session is of, in Stripe's units. */
export function moneyOfSession({ amount_total, currency, metadata }: z.infer<typeof sessionObject>) {
  const said = metadata?.['currency'];
  const named = typeof said === 'string' && /^[a-z]{3}$/.test(said) ? said : 'usd';
  return { amount: amount_total ?? 0, currency: currency ?? named };
}

/** That a person agreed to later charges, as the payment of nothing that it is here. */
export const asPayment = (
  { id, status, created, customer, payment_method }: z.infer<typeof setupObject>,
  currency: string,
): z.infer<typeof intentObject> => ({
  object: 'payment_intent',
  id,
  status,
  created,
  customer,
  payment_method,
  currency,
  amount: 0,
  amount_received: 0,
  setup_future_usage: 'off_session',
});
