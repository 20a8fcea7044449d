import { z } from 'zod';
import type { PaymentNotice } from '../payment-provider.ts';
import { type KnownPayment, captured, disputeNotices, failed, intentNotices, refunded } from './stripe-notices.ts';
import {
  type Ours,
  disputeObject,
  eventObject,
  intentObject,
  oursIn,
  refundObject,
  sessionObject,
  setupObject,
} from './stripe-objects.ts';
import type { StripePorts } from './stripe-provider.ts';
import { asPayment, moneyOfSession } from './stripe-session.ts';

/** How webhooks are verified. */
export interface WebhookPorts extends StripePorts {
  /** `whsec_…`; several while one replaces another. */
  readonly secrets: readonly string[];
  /** A school that a connected account belongs to; undefined = none has it. */
  schoolOf(account: string): string | undefined;
}

/** Seconds by which the time of a signature may differ from ours. */
const tolerance = 300;

type StripeEvent = z.infer<typeof eventObject>;

/** An event that is refused, by what it says itself but for the school. */
export interface RefusedEvent {
  /** The school whose account it comes from; the one that it names where no school here has the account. */
  readonly school: string;
  readonly order_id: string;
  readonly payment_id: string;
  readonly event_id: string;
  readonly kind: string;
}

/** What came of a webhook. */
export type WebhookOutcome =
  /** It was not signed by Stripe, or too long ago. */
  | { readonly state: 'unverified' }
  /** It is no event, or not of the account that the school has. `reason`: in words for operators. */
  | { readonly state: 'refused'; readonly reason: string; readonly about?: RefusedEvent }
  /** What it says; nothing, when it is about something else. */
  | { readonly state: 'taken'; readonly notices: readonly PaymentNotice[] };

/**
 * What a webhook says: its signature is verified over the bytes as they came. Throws when Stripe has to be asked about the
 * payment, and gives no answer: Stripe sends the webhook again then.
 */
export async function noticesOfWebhook(ports: WebhookPorts, body: Buffer, signature: string): Promise<WebhookOutcome> {
  const event = await verified(ports, body, signature);
  if (event === undefined) return { state: 'unverified' };
  const read = eventObject.safeParse(event);
  if (!read.success) return { state: 'refused', reason: 'the body is no event of Stripe' };
  try {
    return await noticesOf(ports, read.data);
  } catch (error) {
    if (error instanceof z.ZodError) return { state: 'refused', reason: `${read.data.type} has another shape` };
    throw error;
  }
}

/** The event, when one of the secrets signed the bytes a short time ago. */
async function verified({ client, secrets, clock }: WebhookPorts, body: Buffer, signature: string): Promise<unknown> {
  const { webhooks } = await client();
  for (const secret of secrets)
    try {
      return webhooks.constructEvent(body, signature, secret, tolerance, undefined, clock.now());
    } catch {
      // Another secret may be the one; what is wrong is not told to the sender.
    }
  return undefined;
}

/** What an event is about, and what it says then. */
interface About {
  readonly ours: Ours;
  readonly reference: string;
  tell(known: KnownPayment): Promise<readonly (PaymentNotice | undefined)[]> | readonly (PaymentNotice | undefined)[];
}

async function noticesOf(ports: WebhookPorts, event: StripeEvent): Promise<WebhookOutcome> {
  const about = await aboutOf(ports, event);
  if (!about) return { state: 'taken', notices: [] };
  const { school, order_id, payment_id } = about.ours;
  if ((event.account ?? undefined) !== ports.accountOf(school)) return refusal(ports, event, about.ours);
  const told = await about.tell({ school, order_id, payment_id, reference: about.reference });
  return { state: 'taken', notices: told.flatMap((notice) => notice ?? []) };
}

/** Who has an account of his own may write into it what he likes, also the names of orders of other schools. */
function refusal(ports: WebhookPorts, { id: event_id, type: kind, account }: StripeEvent, ours: Ours): WebhookOutcome {
  const reason = `the account ${account ?? 'of the installation'} is not that of ${ours.school}`;
  // An account that no school here has is one that the settings forgot: its school waits for the money.
  const school = (account && ports.schoolOf(account)) || ours.school;
  const { order_id, payment_id } = ours;
  return { state: 'refused', reason, about: { school, order_id, payment_id, event_id, kind } };
}

async function aboutOf(ports: WebhookPorts, { type, created, account, data }: StripeEvent): Promise<About | undefined> {
  const at = account ?? undefined;
  switch (type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      return aboutSession(ports, data.object, created, at);
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
      return aboutCharge(data.object, created);
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed': {
      const refund = refundObject.parse(data.object);
      return aboutPaid(ports, refund.payment_intent, at, (known) => [refunded(known, refund, created)]);
    }
    case 'charge.dispute.created':
    case 'charge.dispute.closed': {
      const dispute = disputeObject.parse(data.object);
      return aboutPaid(ports, dispute.payment_intent, at, (known) => disputeNotices(known, dispute, created));
    }
    default:
      return undefined;
  }
}

/** What became of a session: it was paid, its money is on its way or will not come, or nobody paid in time. */
function aboutSession(
  ports: WebhookPorts,
  object: unknown,
  created: number,
  account: string | undefined,
): About | undefined {
  const session = sessionObject.parse(object);
  const ours = oursIn(session);
  if (!ours) return undefined;
  const { id, payment_status, status, payment_intent, setup_intent } = session;
  const money = moneyOfSession(session);
  return {
    ours,
    reference: id,
    async tell(known) {
      if (payment_status === 'paid' && payment_intent)
        return [captured(known, await intentOf(ports, payment_intent, account), created)];
      if (status === 'expired') return [failed(known, money, created)];
      if (status !== 'complete') return [];
      if (setup_intent)
        return intentNotices(known, asPayment(await setupOf(ports, setup_intent, account), money.currency), created);
      return payment_intent ? intentNotices(known, await intentOf(ports, payment_intent, account), created) : [];
    },
  };
}

/** What became of a charge without a person. Intents of sessions are told of by their sessions. */
function aboutCharge(object: unknown, created: number): About | undefined {
  const intent = intentObject.parse(object);
  const ours = oursIn(intent);
  if (ours?.by !== 'charge') return undefined;
  const tell = (known: KnownPayment) => [
    intent.status === 'succeeded' ? captured(known, intent, created) : failed(known, intent, created),
  ];
  return { ours, reference: intent.id, tell };
}

/** What becomes of a payment after it was made: what it is called here stands in its intent. */
async function aboutPaid(
  ports: WebhookPorts,
  payment_intent: string | null,
  account: string | undefined,
  tell: About['tell'],
): Promise<About | undefined> {
  if (!payment_intent) return undefined;
  const ours = oursIn(await intentOf(ports, payment_intent, account));
  if (!ours) return undefined;
  const reference = ours.by === 'charge' ? payment_intent : await sessionOf(ports, payment_intent, account);
  return reference === undefined ? undefined : { ours, reference, tell };
}

const at = (account: string | undefined) => (account === undefined ? {} : { stripeAccount: account });

async function intentOf({ client }: WebhookPorts, id: string, account: string | undefined) {
  const stripe = await client();
  return intentObject.parse(await stripe.paymentIntents.retrieve(id, {}, at(account)));
}

async function setupOf({ client }: WebhookPorts, id: string, account: string | undefined) {
  const stripe = await client();
  return setupObject.parse(await stripe.setupIntents.retrieve(id, {}, at(account)));
}

/** The session by which an intent was paid. */
async function sessionOf({ client }: WebhookPorts, payment_intent: string, account: string | undefined) {
  const stripe = await client();
  const { data } = await stripe.checkout.sessions.list({ payment_intent, limit: 1 }, at(account));
  return data[0]?.id;
}
