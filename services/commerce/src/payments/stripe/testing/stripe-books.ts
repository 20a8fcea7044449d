import type { Clock } from '@lyceum/kernel';
import type Stripe from 'stripe';
import { type Form, field, part } from './stripe-form.ts';

/** What Stripe says instead of doing it. @see https://docs.stripe.com/api/errors */
export class Refused extends Error {
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;

  constructor(status: number, type: string, body: Readonly<Record<string, string>>) {
    super(body['message']);
    this.status = status;
    this.body = { type, ...body };
  }
}

const invalid = (param: string, code: string, message: string) =>
  new Refused(400, 'invalid_request_error', { param, code, message });
const missing = (id: string) =>
  new Refused(404, 'invalid_request_error', { code: 'resource_missing', message: `No such object: '${id}'` });
const redirecting = () =>
  new Refused(400, 'invalid_request_error', {
    message:
      'This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these ' +
      'payment methods might redirect your customer off of your page, you must provide a `return_url`.',
  });

/** The fields of an object that the tests are about, by the names and types that Stripe publishes. */
export type Session = Pick<
  Stripe.Checkout.Session,
  | 'id'
  | 'object'
  | 'amount_total'
  | 'currency'
  | 'client_reference_id'
  | 'expires_at'
  | 'mode'
  | 'payment_status'
  | 'status'
  | 'success_url'
  | 'url'
> & { metadata: Record<string, string>; payment_intent: string | null; setup_intent: string | null };
export type Setup = Pick<Stripe.SetupIntent, 'id' | 'object' | 'created' | 'status' | 'usage'> & {
  metadata: Record<string, string>;
  customer: string | null;
  payment_method: string | null;
};
export type Intent = Pick<
  Stripe.PaymentIntent,
  'id' | 'object' | 'amount' | 'amount_received' | 'currency' | 'created' | 'status' | 'setup_future_usage'
> & { metadata: Record<string, string>; customer: string | null; payment_method: string | null };
export type Refund = Pick<
  Stripe.Refund,
  'id' | 'object' | 'amount' | 'currency' | 'created' | 'status' | 'failure_reason'
> & {
  metadata: Record<string, string>;
  payment_intent: string;
};
export type Dispute = Pick<Stripe.Dispute, 'id' | 'object' | 'amount' | 'currency' | 'created' | 'status'> & {
  payment_intent: string;
};

/** Means of payment that are declined, by what they say. */
const declines: Readonly<Record<string, string>> = {
  pm_declined: 'card_declined',
  pm_expired: 'expired_card',
  pm_secure: 'authentication_required',
};

const strings = (form: Form): Record<string, string> =>
  Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );

/** What Stripe has of one account. */
export class StripeBooks {
  readonly sessions = new Map<string, Session>();
  readonly setups = new Map<string, Setup>();
  readonly intents = new Map<string, Intent>();
  readonly refunds = new Map<string, Refund>();
  readonly disputes = new Map<string, Dispute>();
  readonly #clock: Clock;
  readonly #next: () => number;
  readonly #happened: (type: string, object: object) => void;

  constructor(clock: Clock, next: () => number, happened: (type: string, object: object) => void) {
    this.#clock = clock;
    this.#next = next;
    this.#happened = happened;
  }

  #now(): number {
    return Math.floor(this.#clock.now() / 1_000);
  }

  openSession(form: Form): Session {
    const [line = {}] = Object.values(part(form, 'line_items'));
    const price = typeof line === 'string' ? {} : part(line, 'price_data');
    const expires_at = Number(field(form, 'expires_at') ?? this.#now() + 86_400);
    if (expires_at < this.#now() + 1_800 || expires_at > this.#now() + 86_400)
      throw invalid('expires_at', 'invalid', 'The `expires_at` timestamp must be between 30 minutes and 24 hours.');
    const isSetup = field(form, 'mode') === 'setup';
    if (isSetup && (form['line_items'] !== undefined || field(form, 'currency') === undefined))
      throw invalid('mode', 'invalid', 'In setup mode there are no line items, and there is a currency');
    const session: Session = {
      id: `cs_test_${this.#next()}`,
      object: 'checkout.session',
      amount_total: isSetup ? null : amountOf(field(price, 'unit_amount'), field(price, 'currency')),
      // Whether Stripe says it of setups is not published.
      currency: isSetup ? null : (field(price, 'currency') ?? null),
      client_reference_id: field(form, 'client_reference_id') ?? null,
      expires_at,
      metadata: strings(part(form, 'metadata')),
      mode: isSetup ? 'setup' : 'payment',
      payment_intent: null,
      setup_intent: null,
      payment_status: 'unpaid',
      status: 'open',
      success_url: field(form, 'success_url') ?? null,
      url: `https://checkout.stripe.test/c/pay/${this.#next()}`,
    };
    this.sessions.set(session.id, session);
    this.#usages.set(session.id, field(part(form, 'payment_intent_data'), 'setup_future_usage') === 'off_session');
    return session;
  }

  readonly #usages = new Map<string, boolean>();

  /** The person pays, by a card at once or by a transfer that takes days. */
  pay(id: string, by: 'card' | 'transfer' = 'card'): Intent {
    const session = this.session(id);
    if (session.status !== 'open') throw new Error(`the session is ${session.status}`);
    const saved = this.#usages.get(id) ?? false;
    const intent: Intent = {
      id: `pi_${this.#next()}`,
      object: 'payment_intent',
      amount: session.amount_total ?? 0,
      amount_received: by === 'card' ? (session.amount_total ?? 0) : 0,
      currency: session.currency ?? '',
      created: this.#now(),
      status: by === 'card' ? 'succeeded' : 'processing',
      setup_future_usage: saved ? 'off_session' : null,
      metadata: session.metadata,
      customer: saved ? `cus_${this.#next()}` : null,
      payment_method: `pm_${this.#next()}`,
    };
    this.intents.set(intent.id, intent);
    Object.assign(session, { status: 'complete', payment_intent: intent.id, url: null });
    if (by === 'card') this.#paid(session, intent, 'checkout.session.completed');
    else this.#happened('checkout.session.completed', session);
    return intent;
  }

  /** The person agrees to later charges, and pays nothing. */
  agree(id: string): Setup {
    const session = this.session(id);
    if (session.status !== 'open' || session.mode !== 'setup')
      throw new Error(`the session is ${session.status}, to ${session.mode}`);
    const setup: Setup = {
      id: `seti_${this.#next()}`,
      object: 'setup_intent',
      created: this.#now(),
      status: 'succeeded',
      usage: 'off_session',
      metadata: session.metadata,
      customer: `cus_${this.#next()}`,
      payment_method: `pm_${this.#next()}`,
    };
    this.setups.set(setup.id, setup);
    Object.assign(session, {
      status: 'complete',
      payment_status: 'no_payment_required',
      setup_intent: setup.id,
      url: null,
    });
    this.#happened('setup_intent.succeeded', setup);
    this.#happened('checkout.session.completed', session);
    return setup;
  }

  #paid(session: Session, intent: Intent, type: string): void {
    Object.assign(session, { payment_status: 'paid' });
    Object.assign(intent, { status: 'succeeded', amount_received: intent.amount });
    this.#happened('payment_intent.succeeded', intent);
    this.#happened(type, session);
  }

  /** The transfer arrives, or never will. */
  settle(id: string, arrived: boolean): void {
    const session = this.session(id);
    const intent = this.intent(session.payment_intent ?? '');
    if (arrived) return this.#paid(session, intent, 'checkout.session.async_payment_succeeded');
    Object.assign(intent, { status: 'requires_payment_method' });
    this.#happened('checkout.session.async_payment_failed', session);
  }

  expire(id: string): Session {
    const session = this.session(id);
    if (session.status !== 'open')
      throw invalid('session', 'resource_missing', `Only open sessions can be expired: this one is ${session.status}`);
    Object.assign(session, { status: 'expired', url: null });
    this.#happened('checkout.session.expired', session);
    return session;
  }

  charge(form: Form): Intent {
    const payment_method = field(form, 'payment_method') ?? '';
    const customer = field(form, 'customer') ?? '';
    if (field(form, 'off_session') !== 'true' || field(form, 'confirm') !== 'true')
      throw invalid('off_session', 'parameter_missing', 'This server confirms payments without a person only');
    if (field(part(form, 'automatic_payment_methods'), 'allow_redirects') !== 'never') throw redirecting();
    if (!customer.startsWith('cus_') || !payment_method.startsWith('pm_'))
      throw invalid('payment_method', 'resource_missing', `No such PaymentMethod: '${payment_method}'`);
    const amount = amountOf(field(form, 'amount'), field(form, 'currency'));
    const code = declines[payment_method];
    const intent: Intent = {
      id: `pi_${this.#next()}`,
      object: 'payment_intent',
      amount,
      amount_received: code ? 0 : amount,
      currency: field(form, 'currency') ?? '',
      created: this.#now(),
      status: code ? 'requires_payment_method' : payment_method === 'pm_slow' ? 'processing' : 'succeeded',
      setup_future_usage: null,
      metadata: strings(part(form, 'metadata')),
      customer,
      payment_method,
    };
    this.intents.set(intent.id, intent);
    if (code) {
      this.#happened('payment_intent.payment_failed', intent);
      throw new Refused(402, 'card_error', { code, decline_code: code, message: 'Your card was declined.' });
    }
    if (intent.status === 'succeeded') this.#happened('payment_intent.succeeded', intent);
    return intent;
  }

  /** The payments of a customer since a time, the newest first. */
  intentsOf(form: Form): readonly Intent[] {
    const since = Number(field(part(form, 'created'), 'gte') ?? 0);
    const isOf = ({ customer, created }: Intent) => customer === field(form, 'customer') && created >= since;
    return [...this.intents.values()].filter(isOf).toReversed();
  }

  cancelIntent(id: string): Intent {
    const intent = this.intent(id);
    if (intent.status === 'succeeded' || intent.status === 'canceled')
      throw invalid('intent', 'payment_intent_unexpected_state', `It is ${intent.status}`);
    Object.assign(intent, { status: 'canceled' });
    this.#happened('payment_intent.canceled', intent);
    return intent;
  }

  refund(form: Form): Refund {
    const payment = this.intent(field(form, 'payment_intent') ?? '');
    const amount = amountOf(field(form, 'amount') ?? String(payment.amount), payment.currency);
    const back = [...this.refunds.values()]
      .filter((each) => each.payment_intent === payment.id && each.status !== 'failed')
      .reduce((sum, each) => sum + each.amount, 0);
    if (back + amount > payment.amount_received)
      throw invalid('amount', 'charge_already_refunded', 'The refund is more than what is left of the payment');
    const refund: Refund = {
      id: `re_${this.#next()}`,
      object: 'refund',
      amount,
      currency: payment.currency,
      created: this.#now(),
      status: 'succeeded',
      metadata: strings(part(form, 'metadata')),
      payment_intent: payment.id,
    };
    this.refunds.set(refund.id, refund);
    this.#happened('refund.created', refund);
    return refund;
  }

  /** The bank of the person does not take the money: Stripe has it again. */
  failRefund(id: string, failure_reason: string): void {
    const refund = found(this.refunds, id);
    Object.assign(refund, { status: 'failed', failure_reason });
    this.#happened('refund.failed', refund);
  }

  /** A cardholder asks the bank for the money. */
  dispute(intent: string, status: Dispute['status'] = 'needs_response'): Dispute {
    const { amount, currency } = this.intent(intent);
    const dispute: Dispute = {
      id: `dp_${this.#next()}`,
      object: 'dispute',
      amount,
      currency,
      created: this.#now(),
      status,
      payment_intent: intent,
    };
    this.disputes.set(dispute.id, dispute);
    this.#happened('charge.dispute.created', dispute);
    return dispute;
  }

  /** The bank has decided. */
  resolve(id: string, status: 'won' | 'lost'): void {
    const dispute = found(this.disputes, id);
    Object.assign(dispute, { status });
    this.#happened('charge.dispute.closed', dispute);
  }

  setup(id: string): Setup {
    return found(this.setups, id);
  }

  session(id: string): Session {
    return found(this.sessions, id);
  }

  intent(id: string): Intent {
    return found(this.intents, id);
  }
}

function found<T>(all: ReadonlyMap<string, T>, id: string): T {
  const thing = all.get(id);
  if (thing === undefined) throw missing(id);
  return thing;
}

/** Of an account that is settled in USD: what is paid in ISK has to be worth as much as the least amount of that. */
const least: Readonly<Record<string, number>> = { usd: 50, eur: 50, gbp: 30, jpy: 50, isk: 7_000 };

/** An amount as Stripe takes it. */
function amountOf(text: string | undefined, currency = ''): number {
  const amount = Number(text);
  if (text === undefined) throw invalid('amount', 'parameter_missing', 'Missing required param: amount.');
  if (!Number.isInteger(amount) || amount < 1) throw invalid('amount', 'parameter_invalid_integer', 'Invalid integer');
  if (amount < (least[currency] ?? 1))
    throw invalid('amount', 'amount_too_small', `Amount must be at least ${least[currency]} ${currency}`);
  if (amount > 99_999_999 && !['cop', 'huf', 'idr', 'inr', 'jpy', 'lbp'].includes(currency))
    throw invalid('amount', 'amount_too_large', 'Amount must be no more than 999,999.99');
  if (['isk', 'ugx'].includes(currency) && amount % 100 !== 0)
    throw invalid('amount', 'invalid_charge_amount_no_decimal_compatible', 'Must be evenly divisible by 100');
  if (['bhd', 'jod', 'kwd', 'omr', 'tnd'].includes(currency) && amount % 10 !== 0)
    throw invalid('amount', 'invalid_charge_amount', 'The last digit must be 0');
  return amount;
}
