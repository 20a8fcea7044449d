import { isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import type { Order, Payment } from '../orders/order.state.ts';
import { decideOrder, takeNotice } from '../ordering/ordering.ts';
import type { PaymentNotice, PaymentProvider, PaymentReference } from '../payments/payment-provider.ts';
import { providerNamed } from '../ports/commerce-ports.ts';
import { knownOf } from '../reconciliation/looking.ts';
import type { Subscription } from '../subscriptions/subscription.state.ts';
import type { RenewalPorts } from './subscription-order.ts';

/** An order of a subscription that is to be paid without the person. */
export interface Charging {
  readonly school: string;
  readonly id: string;
  readonly order: Order;
  readonly subscription: Pick<Subscription, 'provider' | 'agreement'>;
}

/** By which agreement a payment can be charged; null when the person has to pay it. */
export const agreementFor = (
  { provider, agreement }: Pick<Subscription, 'provider' | 'agreement'>,
  payment: Pick<Payment, 'provider'>,
): string | null => (payment.provider === provider ? agreement : null);

/**
 * Charges the payment that an order waits for, by what was agreed. The provider charges once for a payment, so that it may
 * be repeated; what came of it is taken into the order. A payment that somebody has open is ended first, unless it is paid.
 * Does nothing when the person has to pay. Throws when the provider gives no answer.
 */
export async function charge(ports: RenewalPorts, charging: Charging): Promise<void> {
  const { order, subscription } = charging;
  const payment = order.payments.at(-1);
  const agreement = payment && agreementFor(subscription, payment);
  if (order.status !== 'pending' || !payment || agreement === null || agreement === undefined) return;
  if (payment.state === 'open') return lookAt(ports, charging, payment);
  if (payment.state === 'created') return chargeNow(ports, charging, { payment, agreement });
}

async function chargeNow(
  ports: RenewalPorts,
  { school, id: order_id, order }: Charging,
  { payment, agreement }: { readonly payment: Payment; readonly agreement: string },
): Promise<void> {
  const provider = providerNamed(ports, payment.provider);
  const { payment_id, amount, started_at } = payment;
  const { currency, expires_at } = order;
  const title = order.lines
    .map((line) => line.title)
    .join(', ')
    .slice(0, 200);
  const about = { school, order_id, payment_id };
  const asked = { ...about, amount, currency, title, started_at, expires_at, return_url: '', save_agreement: false };
  const outcome = await provider.charge({ ...asked, agreement });
  switch (outcome.state) {
    case 'captured':
      return taken(ports, provider, outcome.notice);
    case 'pending':
      return opened(ports, about, outcome.reference);
    case 'failed':
      return taken(ports, provider, notPaid(ports, { ...about, reference: '' }, { payment, currency }));
  }
}

/** That nobody pays by a payment any more. Only the provider's own words have another id: both count once. */
const notPaid = (
  { clock }: Pick<RenewalPorts, 'clock'>,
  about: PaymentReference,
  { payment, currency }: { readonly payment: Payment; readonly currency: string },
): PaymentNotice => ({
  ...about,
  event_id: `${payment.payment_id}:not_paid`,
  kind: 'failed',
  amount: payment.amount,
  currency,
  at: isoTime(clock.now()),
});

async function taken(ports: RenewalPorts, { name }: PaymentProvider, notice: PaymentNotice): Promise<void> {
  const outcome = await takeNotice(ports, name, notice);
  if (isRejection(outcome)) throw new Error(outcome.reason);
}

/** The provider has begun a charge, and will say what came of it. */
async function opened(
  ports: RenewalPorts,
  { school, order_id: id, payment_id }: Omit<PaymentReference, 'reference'>,
  reference: string,
): Promise<void> {
  const asked = { school, id, commitId: uuidv5('payment-opened', school, payment_id) };
  await decideOrder(ports, asked, () => ({ type: 'OpenPayment', payment_id, reference, url: null }));
}

/**
 * Has the provider say what it knows. What a person has open is ended before, as two would be paid twice: what was paid
 * until then counts, and only what nothing came of is not paid.
 */
async function lookAt(ports: RenewalPorts, charging: Charging, payment: Payment): Promise<void> {
  const { school, id: order_id, order } = charging;
  const { payment_id, reference, url, provider: name } = payment;
  if (reference === null || url === null) return void (await look(ports, charging, payment));
  const about = { school, order_id, payment_id, reference };
  const provider = providerNamed(ports, name);
  await provider.cancel(about);
  if (await look(ports, charging, payment)) return;
  await taken(ports, provider, notPaid(ports, about, { payment, currency: order.currency }));
}

/** Takes what the provider knows of a payment, be it one whose answer was lost; false while nothing came of it. */
export async function look(
  ports: RenewalPorts,
  { school, id: order_id, subscription }: Omit<Charging, 'order'>,
  payment: Payment,
): Promise<boolean> {
  const { provider: name, payment_id, reference, started_at } = payment;
  const agreement = agreementFor(subscription, payment);
  if (reference === null && agreement === null) return false;
  const provider = providerNamed(ports, name);
  const about = { school, order_id, payment_id, reference, started_at };
  const notices = await knownOf({ provider, payment: about, agreement });
  for (const notice of notices) await taken(ports, provider, notice);
  return notices.length > 0;
}
