import type { Clock } from '@lyceum/kernel';
import type Stripe from 'stripe';
import type { z } from 'zod';
import type { SoughtCharge, WantedPayment } from '../payment-provider.ts';
import { stripeAmount } from './stripe-amounts.ts';
import { intentObject, oursIn } from './stripe-objects.ts';
import { metadataOf } from './stripe-session.ts';

type Intent = z.infer<typeof intentObject>;

/** So long Stripe surely knows under which key something was asked for: it forgets after a day. Milliseconds. */
const keyRemembered = 20 * 3_600_000;

/** By how much Stripe's clock may be behind ours, in seconds. */
const behind = 3_600;

/** Whether a payment may have been charged under a key that Stripe does not know any more. */
export const mayBeForgotten = ({ started_at }: Pick<SoughtCharge, 'started_at'>, clock: Clock): boolean =>
  clock.now() - Date.parse(started_at) > keyRemembered;

/** The customer and the means of payment that an agreement names. */
function agreedTo(agreement: string) {
  const [customer = '', payment_method = ''] = agreement.split('/');
  return { customer, payment_method };
}

/**
 * The payment by which an agreement is charged, at once and without the person.
 * @see https://docs.stripe.com/api/payment_intents/create
 */
export const chargeParams = (
  wanted: WantedPayment & { readonly agreement: string },
): Stripe.PaymentIntentCreateParams => ({
  ...agreedTo(wanted.agreement),
  amount: stripeAmount(wanted),
  currency: wanted.currency.toLowerCase(),
  // Nobody is there to be led elsewhere: without this Stripe asks for an address to come back to.
  automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
  off_session: true,
  confirm: true,
  description: wanted.title,
  metadata: metadataOf(wanted, 'charge'),
});

/** Where a charge is looked for that may have been made: among the payments of its customer since it was begun. */
export const chargesSince = ({
  agreement,
  started_at,
}: Pick<SoughtCharge, 'agreement' | 'started_at'>): Stripe.PaymentIntentListParams => ({
  customer: agreedTo(agreement).customer,
  created: { gte: Math.floor(Date.parse(started_at) / 1_000) - behind },
  limit: 100,
});

/** The charge for a payment among payments of its customer; of several the one that was paid, or may be. */
export function chargeAmong(payments: readonly unknown[], { school, order_id, payment_id }: SoughtCharge) {
  const found = payments.flatMap((each): readonly Intent[] => {
    const intent = intentObject.parse(each);
    const ours = oursIn(intent);
    const isIt = ours?.by === 'charge' && ours.school === school && ours.order_id === order_id;
    return isIt && ours.payment_id === payment_id ? [intent] : [];
  });
  const ofStatus = (wanted: string) => found.find(({ status }) => status === wanted);
  return ofStatus('succeeded') ?? ofStatus('processing') ?? found[0];
}
