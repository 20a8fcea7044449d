import { isoTime } from '@lyceum/kernel';
import type { z } from 'zod';
import type { PaymentNotice } from '../payment-provider.ts';
import { moneyOf } from './stripe-amounts.ts';
import { type disputeObject, type intentObject, type Ours, type refundObject, refundIdIn } from './stripe-objects.ts';

type Intent = z.infer<typeof intentObject>;

/** A payment as it is known here: `reference` is the session that a person pays, or the intent of a charge. */
export type KnownPayment = Pick<Ours, 'school' | 'order_id' | 'payment_id'> & { readonly reference: string };

const timeOf = (seconds: number): string => isoTime(seconds * 1_000);

/** By what can be charged later without the person: the customer and the means of payment. */
const agreementOf = ({ customer, payment_method, setup_future_usage }: Intent): string | undefined =>
  setup_future_usage === 'off_session' && customer && payment_method ? `${customer}/${payment_method}` : undefined;

/**
 * The notices are named after what they are about, not after Stripe's events: whether the answer to a call, a webhook or
 * a look tells of a payment, it is the same notice.
 */
export function captured(known: KnownPayment, intent: Intent, seconds: number): PaymentNotice {
  const agreement = agreementOf(intent);
  return {
    ...known,
    ...moneyOf(intent.amount_received ?? intent.amount, intent.currency),
    event_id: `${intent.id}:captured`,
    kind: 'captured',
    at: timeOf(seconds),
    ...(agreement === undefined ? {} : { agreement }),
  };
}

/** Nobody paid, and nobody will. */
export const failed = (
  known: KnownPayment,
  money: { readonly amount: number; readonly currency: string },
  seconds: number,
): PaymentNotice => ({
  ...known,
  ...moneyOf(money.amount, money.currency),
  event_id: `${known.reference}:failed`,
  kind: 'failed',
  at: timeOf(seconds),
});

/** The person has paid, and the money is on its way: of a direct debit or a transfer. */
const processing = (known: KnownPayment, intent: Intent, seconds: number): PaymentNotice => ({
  ...known,
  ...moneyOf(intent.amount, intent.currency),
  event_id: `${intent.id}:processing`,
  kind: 'processing',
  at: timeOf(seconds),
});

/**
 * What an intent says whose person has done all they were asked to. `requires_action`: a transfer is
 * waited for.
 */
export function intentNotices(known: KnownPayment, intent: Intent, seconds: number): readonly PaymentNotice[] {
  switch (intent.status) {
    case 'succeeded':
      return [captured(known, intent, intent.created)];
    case 'processing':
    case 'requires_action':
      return [processing(known, intent, seconds)];
    case 'requires_payment_method':
    case 'canceled':
      return [failed(known, intent, seconds)];
    default:
      return [];
  }
}

/** A refund that is done, or has failed, be it after it was done; undefined while it is neither. */
export function refunded(
  known: KnownPayment,
  refund: z.infer<typeof refundObject>,
  seconds: number,
): PaymentNotice | undefined {
  const { id, status, failure_reason } = refund;
  const said = {
    ...known,
    ...moneyOf(refund.amount, refund.currency),
    at: timeOf(seconds),
    refund_id: refundIdIn(refund) ?? id,
  };
  if (status === 'succeeded') return { ...said, event_id: `${id}:refunded`, kind: 'refunded' };
  if (status !== 'failed' && status !== 'canceled') return undefined;
  return { ...said, event_id: `${id}:failed`, kind: 'refund_failed', reason: failure_reason ?? status };
}

/** What a dispute has come to. Inquiries (`warning_…`) take no money yet. */
export function disputeNotices(
  known: KnownPayment,
  dispute: z.infer<typeof disputeObject>,
  seconds: number,
): readonly PaymentNotice[] {
  const { id, status, amount, currency, created } = dispute;
  if (status.startsWith('warning_') || status === 'prevented') return [];
  const said = { ...known, ...moneyOf(amount, currency) };
  const begun = { ...said, event_id: `${id}:disputed`, kind: 'disputed', at: timeOf(created) } as const;
  if (status !== 'won' && status !== 'lost') return [begun];
  // The end may be told before the beginning.
  return [begun, { ...said, event_id: `${id}:${status}`, kind: `dispute_${status}`, at: timeOf(seconds) }];
}
