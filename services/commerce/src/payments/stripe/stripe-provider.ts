import type { Clock } from '@lyceum/kernel';
import type Stripe from 'stripe';
import type {
  ChargeOutcome,
  OpenedPayment,
  PaymentNotice,
  PaymentProvider,
  PaymentReference,
  RefundOutcome,
  RefusedPayment,
  WantedPayment,
  WantedRefund,
} from '../payment-provider.ts';
import { atOnce } from '../payment-times.ts';
import { stripeAmount } from './stripe-amounts.ts';
import { refusedByStripe } from './stripe-limits.ts';
import { type KnownPayment, captured, disputeNotices, failed, intentNotices, refunded } from './stripe-notices.ts';
import { type Ours, disputeObject, intentObject, refundObject } from './stripe-objects.ts';
import { neverDone } from './stripe-refusals.ts';

/** What the adapter works with. */
export interface StripePorts {
  client(): Promise<Stripe>;
  /** The connected account of a school; undefined = the installation's own. */
  accountOf(school: string): string | undefined;
  readonly clock: Clock;
}

/** Characters of a reason that Stripe keeps with a refund. */
const longestWhy = 300;

/** How long after its order a session may last, at most, in seconds: it must last half an hour when it begins. */
const sessionGrace = 1_800;
/** Stripe's longest session is a day. */
const longest = 23 * 3_600;

const isSession = ({ reference }: Pick<PaymentReference, 'reference'>): boolean => reference.startsWith('cs_');

const metadataOf = ({ school, order_id, payment_id }: Omit<Ours, 'by'>, by: Ours['by']): Record<string, string> => ({
  school,
  order_id,
  payment_id,
  by,
});

/** Payments by Stripe: a page of theirs for people, charges without a person for renewals. Card data never comes here. */
export class StripeProvider implements PaymentProvider {
  readonly name = 'stripe';
  readonly timeToPay = atOnce.timeToPay;
  readonly timeToArrive = atOnce.timeToArrive;
  readonly instructions = null;
  readonly refuses = refusedByStripe;
  readonly #ports: StripePorts;

  constructor(ports: StripePorts) {
    this.#ports = ports;
  }

  async open(wanted: WantedPayment): Promise<OpenedPayment | RefusedPayment> {
    const reason = this.refuses(wanted);
    if (reason !== undefined) return { refused: reason };
    try {
      return await this.#openSession(wanted);
    } catch (error) {
      const refused = await neverDone(error);
      if (refused === undefined) throw error;
      return { refused };
    }
  }

  async #openSession(wanted: WantedPayment): Promise<OpenedPayment> {
    const { payment_id, order_id, title, return_url, save_agreement } = wanted;
    const stripe = await this.#ports.client();
    const metadata = metadataOf(wanted, 'session');
    const session = await stripe.checkout.sessions.create(
      {
        mode: 'payment',
        client_reference_id: order_id,
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: wanted.currency.toLowerCase(),
              unit_amount: stripeAmount(wanted),
              product_data: { name: title },
            },
          },
        ],
        success_url: return_url,
        cancel_url: return_url,
        ...this.#expiry(wanted),
        ...(save_agreement ? { customer_creation: 'always' as const } : {}),
        metadata,
        payment_intent_data: { metadata, ...(save_agreement ? { setup_future_usage: 'off_session' as const } : {}) },
      },
      this.#options(wanted.school, payment_id),
    );
    return { reference: session.id, url: session.url };
  }

  /** Follows from the order, so that a repeated request is the same: Stripe refuses another one under the same key. */
  #expiry({ started_at, expires_at }: WantedPayment): { readonly expires_at?: number } {
    const seconds = Math.floor(Date.parse(expires_at) / 1_000) + sessionGrace;
    return seconds - Date.parse(started_at) / 1_000 > longest ? {} : { expires_at: seconds };
  }

  async charge(wanted: WantedPayment & { readonly agreement: string }): Promise<ChargeOutcome> {
    const { school, order_id, payment_id, title } = wanted;
    const [customer = '', payment_method = ''] = wanted.agreement.split('/');
    const stripe = await this.#ports.client();
    try {
      const made = await stripe.paymentIntents.create(
        {
          amount: stripeAmount(wanted),
          currency: wanted.currency.toLowerCase(),
          customer,
          payment_method,
          off_session: true,
          confirm: true,
          description: title,
          metadata: metadataOf(wanted, 'charge'),
        },
        this.#options(school, payment_id),
      );
      const intent = intentObject.parse(made);
      const known = { school, order_id, payment_id, reference: intent.id };
      if (intent.status === 'succeeded') return { state: 'captured', notice: captured(known, intent, intent.created) };
      if (intent.status === 'processing') return { state: 'pending', reference: intent.id };
      // Nobody is there to do what is asked for, and it must not be paid later.
      await this.cancel(known);
      return { state: 'failed', reason: `The payment is ${intent.status}: the person would have to act` };
    } catch (error) {
      const reason = await neverDone(error);
      if (reason === undefined) throw error;
      return { state: 'failed', reason };
    }
  }

  async refund(wanted: WantedRefund): Promise<RefundOutcome> {
    const { school, order_id, payment_id, reference, refund_id, reason } = wanted;
    const stripe = await this.#ports.client();
    const payment_intent = await this.#intentOf(wanted);
    if (!payment_intent) return { state: 'failed', reason: 'Nothing was paid by this session' };
    try {
      const before = await this.#refundMade(wanted, payment_intent);
      const made =
        before ??
        (await stripe.refunds.create(
          {
            payment_intent,
            amount: stripeAmount(wanted),
            metadata: { school, order_id, payment_id, refund_id, why: reason.slice(0, longestWhy) },
          },
          this.#options(school, refund_id),
        ));
      const refund = refundObject.parse(made);
      const notice = refunded({ school, order_id, payment_id, reference }, refund, refund.created);
      if (notice?.kind === 'refunded') return { state: 'done', event_id: notice.event_id, at: notice.at };
      if (notice) return { state: 'failed', reason: `The refund has failed at Stripe: ${notice.reason}` };
      return { state: 'pending' };
    } catch (error) {
      const refusal = await neverDone(error);
      if (refusal === undefined) throw error;
      return { state: 'failed', reason: refusal };
    }
  }

  /** The refund under this id, when there is one: Stripe forgets after a day under which key something was asked for. */
  async #refundMade({ school, refund_id }: WantedRefund, payment_intent: string): Promise<Stripe.Refund | undefined> {
    const stripe = await this.#ports.client();
    const { data } = await stripe.refunds.list({ payment_intent, limit: 100 }, this.#options(school));
    return data.find(({ metadata }) => metadata?.['refund_id'] === refund_id);
  }

  /** Ends what is open. What is paid meanwhile is told by its notice. */
  async cancel(payment: PaymentReference): Promise<void> {
    const stripe = await this.#ports.client();
    const options = this.#options(payment.school);
    try {
      if (isSession(payment)) await stripe.checkout.sessions.expire(payment.reference, {}, options);
      else await stripe.paymentIntents.cancel(payment.reference, {}, options);
    } catch (error) {
      // It was over already.
      if ((await neverDone(error)) === undefined) throw error;
    }
  }

  async look(payment: PaymentReference): Promise<readonly PaymentNotice[]> {
    const { school, order_id, payment_id, reference } = payment;
    const stripe = await this.#ports.client();
    const known = { school, order_id, payment_id, reference };
    const options = this.#options(school);
    const now = Math.floor(this.#ports.clock.now() / 1_000);
    if (isSession(payment)) {
      const session = await stripe.checkout.sessions.retrieve(reference, {}, options);
      const money = { amount: session.amount_total ?? 0, currency: session.currency ?? 'usd' };
      if (session.status === 'expired') return [failed(known, money, Math.min(now, session.expires_at))];
      // Who has not finished may still try another card.
      if (session.status !== 'complete') return [];
    }
    const id = await this.#intentOf(payment);
    return id === null ? [] : this.#lookAt(known, id, now);
  }

  /** All that Stripe knows of a payment that came to an intent. */
  async #lookAt(known: KnownPayment, id: string, now: number): Promise<readonly PaymentNotice[]> {
    const stripe = await this.#ports.client();
    const options = this.#options(known.school);
    const intent = intentObject.parse(await stripe.paymentIntents.retrieve(id, {}, options));
    if (intent.status !== 'succeeded') return intentNotices(known, intent, now);
    const [refunds, disputes] = await Promise.all([
      stripe.refunds.list({ payment_intent: id, limit: 100 }, options),
      stripe.disputes.list({ payment_intent: id, limit: 10 }, options),
    ]);
    return [
      captured(known, intent, intent.created),
      ...refunds.data.flatMap((each) => {
        const refund = refundObject.parse(each);
        return refunded(known, refund, refund.created) ?? [];
      }),
      ...disputes.data.flatMap((each) => disputeNotices(known, disputeObject.parse(each), now)),
    ];
  }

  /** The intent of a payment; null while nobody has begun to pay. */
  async #intentOf(payment: PaymentReference): Promise<string | null> {
    if (!isSession(payment)) return payment.reference;
    const stripe = await this.#ports.client();
    const session = await stripe.checkout.sessions.retrieve(payment.reference, {}, this.#options(payment.school));
    const { payment_intent } = session;
    return typeof payment_intent === 'string' ? payment_intent : (payment_intent?.id ?? null);
  }

  /** At the school's account, under our own id: a repeated request is answered as the first time. */
  #options(school: string, idempotencyKey?: string): Stripe.RequestOptions {
    const stripeAccount = this.#ports.accountOf(school);
    return { ...(stripeAccount ? { stripeAccount } : {}), ...(idempotencyKey ? { idempotencyKey } : {}) };
  }
}
