import type { Money } from '../money/money.ts';

/** The providers that there are. `test` moves no money: the operator says what happens. `manual`: a bank transfer. */
export const providerNames = ['test', 'manual', 'stripe'] as const;

/** The name of a provider. */
export type ProviderName = (typeof providerNames)[number];

/** A payment that is wanted. Amounts are in minor units of the currency, times RFC 3339 UTC. */
export interface WantedPayment {
  readonly school: string;
  readonly order_id: string;
  readonly payment_id: string;
  readonly amount: number;
  readonly currency: string;
  /** What the person reads that they pay for. */
  readonly title: string;
  /** Where the person goes afterwards: the page of the order. */
  readonly return_url: string;
  /** When the payment was begun, and until when the order can be paid. */
  readonly started_at: string;
  readonly expires_at: string;
  /** Whether the person agrees to later charges. */
  readonly save_agreement: boolean;
}

/** A payment at the provider. */
export interface OpenedPayment {
  readonly reference: string;
  /** Where the person pays; null = elsewhere, e.g. by a bank transfer with the reference. */
  readonly url: string | null;
}

/** A payment that the provider will never take: why, in words for operators. */
export interface RefusedPayment {
  readonly refused: string;
}

/** A payment, by what it is called here and at the provider. */
export interface PaymentReference {
  readonly school: string;
  readonly order_id: string;
  readonly payment_id: string;
  readonly reference: string;
}

/** A charge without the person, of which nobody knows whether it was made: its answer was lost. */
export interface SoughtCharge extends Omit<PaymentReference, 'reference'> {
  readonly agreement: string;
  /** RFC 3339 UTC. */
  readonly started_at: string;
}

/** Money that is to go back. */
export interface WantedRefund extends PaymentReference {
  readonly refund_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly reason: string;
}

/** What came of a refund. `pending`: a notice follows, of a transfer that the operator makes by hand the operator's. */
export type RefundOutcome =
  | { readonly state: 'done'; readonly event_id: string; readonly at: string }
  | { readonly state: 'pending' }
  | { readonly state: 'failed'; readonly reason: string };

/** What came of a charge without the person. `pending`: a notice follows. */
export type ChargeOutcome =
  | { readonly state: 'captured'; readonly notice: PaymentNotice }
  | { readonly state: 'pending'; readonly reference: string }
  | { readonly state: 'failed'; readonly reason: string };

/** What a provider can say of a payment. `processing`: the person has paid, and the money is on its way for days. */
export const noticeKinds = [
  'processing',
  'captured',
  'failed',
  'refunded',
  'refund_failed',
  'disputed',
  'dispute_won',
  'dispute_lost',
] as const;

/** What a provider says happened. `event_id` is unique at the provider: the same notice twice counts once. */
export interface PaymentNotice {
  readonly event_id: string;
  readonly kind: (typeof noticeKinds)[number];
  readonly school: string;
  readonly order_id: string;
  readonly payment_id: string;
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly at: string;
  /** Of a refund: the id that it was asked for with, or the provider's own. */
  readonly refund_id?: string;
  /** Of a refund that failed, be it after it was told as done: why, in words. */
  readonly reason?: string;
  /** For charges without the person, at the provider. */
  readonly agreement?: string;
}

/** How long people have to pay by a provider. In milliseconds. */
export interface PaymentTimes {
  readonly timeToPay: number;
  /** How long money may take that was sent at the end: what is held for the order is held so much longer. */
  readonly timeToArrive: number;
}

/** Who takes payments. Every call may be repeated, and throws when the provider gives no answer. */
export interface PaymentProvider extends PaymentTimes {
  readonly name: ProviderName;
  /** What people have to know who pay elsewhere than on a page; null = nothing. */
  readonly instructions: string | null;
  /** Why it takes no such amount, in words for buyers; undefined when it does. Asked before anything is sold. */
  refuses(money: Money): string | undefined;
  /** Opens a session for the payment; repeated with the same payment_id it answers the same. */
  open(wanted: WantedPayment): Promise<OpenedPayment | RefusedPayment>;
  /** Charges without the person (renewals); idempotent by payment_id. */
  charge(wanted: WantedPayment & { readonly agreement: string }): Promise<ChargeOutcome>;
  /** Pays back; idempotent by refund_id. */
  refund(wanted: WantedRefund): Promise<RefundOutcome>;
  /** Ends an open session, so that nobody pays any more. */
  cancel(payment: PaymentReference): Promise<void>;
  /** What the provider knows of a payment: reconciliation. */
  look(payment: PaymentReference): Promise<readonly PaymentNotice[]>;
  /** What the provider knows of a charge that may have been made; nothing of one that was not. */
  lookFor(charge: SoughtCharge): Promise<readonly PaymentNotice[]>;
}
