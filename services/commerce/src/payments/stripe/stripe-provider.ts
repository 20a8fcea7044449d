import type { Clock } from '@lyceum/kernel';
import type Stripe from 'stripe';
import type { z } from 'zod';
import type {
  ChargeOutcome,
  OpenedPayment,
  PaymentNotice,
  PaymentProvider,
  PaymentReference,
  RefundOutcome,
  RefusedPayment,
  SoughtCharge,
  WantedPayment,
  WantedRefund,
} from '../payment-provider.ts';
import { atOnce } from '../payment-times.ts';
import { stripeAmount } from './stripe-amounts.ts';
import { chargeAmong, chargeParams, chargesSince, mayBeForgotten } from './stripe-charge.ts';
import { refusedByStripe } from './stripe-limits.ts';
import { type KnownPayment, captured, disputeNotices, failed, intentNotices, refunded } from './stripe-notices.ts';
import { disputeObject, intentObject, refundObject, sessionObject, setupObject } from './stripe-objects.ts';
import { declined, neverDone } from './stripe-refusals.ts';
import { asPayment, moneyOfSession, sessionParams } from './stripe-session.ts';

/** What the adapter works with. */
export interface StripePorts {
  client(): Promise<Stripe>;
  /** The connected account of a school; undefined = the installation's own. */
  accountOf(school: string): string | undefined;
  readonly clock: Clock;
}

type Intent = z.infer<typeof intentObject>;

/** Characters of a reason that Stripe keeps with a refund. */
const longestWhy = 300;

const isSession = ({ reference }: Pick<PaymentReference, 'reference'>): boolean => reference.startsWith('cs_');

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
    const stripe = await this.#ports.client();
    const options = this.#options(wanted.school, wanted.payment_id);
    const session = await stripe.checkout.sessions.create(sessionParams(wanted), options);
    return { reference: session.id, url: session.url };
  }

  async charge(wanted: WantedPayment & { readonly agreement: string }): Promise<ChargeOutcome> {
    try {
      const before = mayBeForgotten(wanted, this.#ports.clock) ? await this.#chargeMade(wanted) : undefined;
      return await this.#outcomeOf(wanted, before ?? (await this.#chargeNow(wanted)));
    } catch (error) {
      const reason = await declined(error);
      if (reason === undefined) throw error;
      return { state: 'failed', reason };
    }
  }

  async #chargeNow(wanted: WantedPayment & { readonly agreement: string }) {
    const stripe = await this.#ports.client();
    const options = this.#options(wanted.school, wanted.payment_id);
    return intentObject.parse(await stripe.paymentIntents.create(chargeParams(wanted), options));
  }

  /** The charge for a payment, when there is one: Stripe forgets after a day under which key it was asked for. */
  async #chargeMade(charge: SoughtCharge) {
    const stripe = await this.#ports.client();
    const { data } = await stripe.paymentIntents.list(chargesSince(charge), this.#options(charge.school));
    return chargeAmong(data, charge);
  }

  async #outcomeOf({ school, order_id, payment_id }: SoughtCharge, intent: Intent): Promise<ChargeOutcome> {
    const known = { school, order_id, payment_id, reference: intent.id };
    if (intent.status === 'succeeded') return { state: 'captured', notice: captured(known, intent, intent.created) };
    if (intent.status === 'processing') return { state: 'pending', reference: intent.id };
    // Nobody is there to do what is asked for, and it must not be paid later.
    await this.cancel(known);
    return { state: 'failed', reason: `The payment is ${intent.status}: the person would have to act` };
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
    const known = { school, order_id, payment_id, reference };
    const now = Math.floor(this.#ports.clock.now() / 1_000);
    if (!isSession(payment)) return this.#lookAt(known, reference, now);
    const session = await this.#session(payment);
    const money = moneyOfSession(session);
    if (session.status === 'expired') return [failed(known, money, Math.min(now, session.expires_at ?? now))];
    // Who has not finished may still try another card.
    if (session.status !== 'complete') return [];
    if (session.setup_intent) {
      const stripe = await this.#ports.client();
      const setup = await stripe.setupIntents.retrieve(session.setup_intent, {}, this.#options(school));
      return intentNotices(known, asPayment(setupObject.parse(setup), money.currency), now);
    }
    return session.payment_intent === null ? [] : this.#lookAt(known, session.payment_intent, now);
  }

  async lookFor(charge: SoughtCharge): Promise<readonly PaymentNotice[]> {
    const { school, order_id, payment_id } = charge;
    try {
      const intent = await this.#chargeMade(charge);
      return intent ? await this.look({ school, order_id, payment_id, reference: intent.id }) : [];
    } catch (error) {
      // There is no such customer any more: nothing is known by it.
      if ((await declined(error)) === undefined) throw error;
      return [];
    }
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
    return (await this.#session(payment)).payment_intent;
  }

  async #session({ school, reference }: PaymentReference) {
    const stripe = await this.#ports.client();
    return sessionObject.parse(await stripe.checkout.sessions.retrieve(reference, {}, this.#options(school)));
  }

  /** At the school's account, under our own id: a repeated request is answered as the first time. */
  #options(school: string, idempotencyKey?: string): Stripe.RequestOptions {
    const stripeAccount = this.#ports.accountOf(school);
    return { ...(stripeAccount ? { stripeAccount } : {}), ...(idempotencyKey ? { idempotencyKey } : {}) };
  }
}
