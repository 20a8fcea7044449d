import { FakeClock } from '@lyceum/testkit';
import type { OpenedPayment, WantedPayment } from '../../payment-provider.ts';
import { stripeClient } from '../stripe-client.ts';
import { StripeProvider } from '../stripe-provider.ts';
import { type WebhookOutcome, type WebhookPorts, noticesOfWebhook } from '../stripe-webhook.ts';
import { type SentEvent, StripeServer } from './stripe-server.ts';

/** The adapter, with a local server that speaks Stripe's API. `school_b` has an account of its own. */
export interface StripeUnderTest {
  readonly server: StripeServer;
  readonly provider: StripeProvider;
  readonly ports: WebhookPorts;
  readonly clock: FakeClock;
  /** Has the last event of a type come as Stripe sends it; changed on the way, when told so. */
  deliver(
    type: string,
    change?: (event: SentEvent) => { readonly body?: Buffer; readonly signature?: string },
  ): Promise<WebhookOutcome>;
  /** Opens a payment that is taken. Throws when it is refused. */
  open(payment: WantedPayment): Promise<OpenedPayment>;
  close(): Promise<void>;
}

const key = 'sk_test_key';
const secret = 'whsec_present';

/** Starts both. */
export async function stripeUnderTest(begin = '2027-03-01T12:00:00.000Z'): Promise<StripeUnderTest> {
  const clock = new FakeClock(begin);
  const server = await StripeServer.start(clock, key);
  const client = stripeClient({ secretKey: key, apiBase: server.url, timeout: 1_000 });
  const accounts = new Map([['school_b', 'acct_b']]);
  const ports = {
    client,
    clock,
    accountOf: (school: string) => accounts.get(school),
    schoolOf: (account: string) => [...accounts].find(([, of]) => of === account)?.[0],
    secrets: ['whsec_next', secret],
  };
  const provider = new StripeProvider(ports);
  return {
    server,
    clock,
    ports,
    provider,
    async open(payment) {
      const opened = await provider.open(payment);
      if ('refused' in opened) throw new Error(opened.refused);
      return opened;
    },
    deliver(type, change) {
      const event = server.events.findLast((each) => each.type === type);
      if (!event) throw new Error(`no ${type}`);
      const changed = change?.(event) ?? {};
      const body = changed.body ?? event.body;
      return noticesOfWebhook(ports, body, changed.signature ?? server.sign(event.body, secret));
    },
    close: () => server.close(),
  };
}

/** A payment of an order at `school_a`, which pays into the account of the installation. */
export const wanted = {
  school: 'school_a',
  order_id: 'order_1',
  payment_id: 'payment_1',
  amount: 4_900,
  currency: 'USD',
  title: 'Paper lanterns',
  return_url: 'https://school.test/checkout/order_1',
  started_at: '2027-03-01T12:00:00.000Z',
  expires_at: '2027-03-01T12:30:00.000Z',
  save_agreement: false,
} as const;

/** What the payment is called, once it has a reference. */
export const known = (reference: string) =>
  ({ school: 'school_a', order_id: 'order_1', payment_id: 'payment_1', reference }) as const;
