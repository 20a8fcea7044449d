import { webhookPath } from '@lyceum/contracts';
import { type Middleware, Problem, methodNotAllowed, readBytes } from '@lyceum/web';
import type { PaymentNotice } from '../payment-provider.ts';
import { type RefusedEvent, type WebhookPorts, noticesOfWebhook } from './stripe-webhook.ts';

/** Where Stripe sends what happened, at the address of any school of the installation. */
export const stripeWebhookPath = `${webhookPath}/stripe`;

/** Bytes of a webhook: Stripe's events have a few thousand. */
const largest = 256 * 1_024;

/** What the endpoint works with. */
export interface WebhookEndpointPorts extends WebhookPorts {
  /** Takes a notice in; repeated, it changes nothing. `false`: there is no such order here. */
  take(notice: PaymentNotice): Promise<boolean>;
  /** Keeps for operators what no order here claims; repeated, it changes nothing. Throws when it cannot be kept. */
  keep(notice: RefusedEvent & { readonly reason: string }): Promise<void>;
  readonly logger: { warn(about: object, message: string): void; error(about: object, message: string): void };
}

/**
 * Takes webhooks of Stripe in: 401 when they are not signed by it, 400 when they cannot be meant for this installation, 503
 * when what they say could not be taken in, so that they come again. What is told to the sender says nothing of orders.
 */
export const stripeWebhooks =
  (ports: WebhookEndpointPorts): Middleware =>
  async (context, next) => {
    if (context.path !== stripeWebhookPath) return next();
    context.state.route = stripeWebhookPath;
    if (context.method !== 'POST') throw methodNotAllowed(['POST']);
    const body = await readBytes(context.req, largest, () => new Problem('payload_too_large'));
    await takeIn(ports, body, context.get('stripe-signature'));
    context.status = 200;
    context.body = { received: true };
  };

async function takeIn(ports: WebhookEndpointPorts, body: Buffer, signature: string): Promise<void> {
  const { take, logger } = ports;
  const outcome = await noticesOfWebhook(ports, body, signature).catch((err: unknown) => {
    logger.error({ err }, 'Stripe gave no answer about a payment that a webhook told of; it will come again');
    throw new Problem('temporarily_unavailable', 'The payment could not be looked at; send it again');
  });
  if (outcome.state === 'unverified')
    throw new Problem('invalid_client', 'The signature is not of this body, or older than five minutes');
  if (outcome.state === 'refused') {
    logger.warn({ reason: outcome.reason }, 'a webhook of Stripe is refused');
    if (outcome.about) await kept(ports, { ...outcome.about, reason: outcome.reason });
    throw new Problem('invalid_request', 'The event is not meant for this installation');
  }
  for (const notice of outcome.notices) {
    if (await take(notice)) continue;
    const { school, order_id, payment_id, event_id, kind } = notice;
    logger.warn({ school, order_id, payment_id }, 'Stripe tells of an order that is not here');
    await kept(ports, { school, order_id, payment_id, event_id, kind, reason: 'The school has no such order' });
  }
}

/** What cannot be kept is in the log of the process: to send it again would change nothing. */
const kept = ({ keep, logger }: WebhookEndpointPorts, notice: Parameters<WebhookEndpointPorts['keep']>[0]) =>
  keep(notice).catch((err: unknown) => logger.error({ err }, 'a webhook of Stripe cannot be kept for operators'));
