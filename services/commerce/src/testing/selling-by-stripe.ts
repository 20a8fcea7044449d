import { FakeClock } from '@lyceum/testkit';
import type { Got } from '@lyceum/testkit-service';
import { stripeWebhookPath } from '../payments/stripe/stripe-endpoint.ts';
import { stripeSettings } from '../payments/stripe/stripe-settings.ts';
import type { StripeBooks } from '../payments/stripe/testing/stripe-books.ts';
import { StripeServer } from '../payments/stripe/testing/stripe-server.ts';
import type { ProviderName } from '../payments/payment-provider.ts';
import { type Selling, startSelling } from './selling.ts';

const secrets = { STRIPE_SECRET_KEY: 'sk_test_key', STRIPE_WEBHOOK_SECRETS: 'whsec_present' };

/** What is sold, and a local server that speaks Stripe's API. `school_2` has an account of its own, `acct_2`. */
export interface SellingByStripe {
  readonly shop: Selling;
  readonly stripe: StripeServer;
  /** What Stripe has of the account of the installation. */
  readonly books: StripeBooks;
  /** The session that was opened last. */
  session(account?: string): string;
  /** Brings what Stripe said last of all to the shop. */
  deliver(school?: string, change?: (body: string) => string): Promise<Got>;
  /** Lets time pass, here and at Stripe. */
  advance(milliseconds: number): void;
  close(): Promise<void>;
}

/** Starts both. Payments are by Stripe when a buyer chooses nothing. */
export async function startSellingByStripe(others: readonly ProviderName[] = []): Promise<SellingByStripe> {
  // Stripe goes by the clock of the world; what is sold by that of the test, which is set to it.
  const clock = new FakeClock();
  const stripe = await StripeServer.start(clock, secrets.STRIPE_SECRET_KEY);
  const given = stripeSettings.parse({ ...secrets, STRIPE_API_BASE: stripe.url, STRIPE_ACCOUNTS: 'school_2=acct_2' });
  const shop = await startSelling({ settings: { PAYMENT_PROVIDERS: ['stripe', ...others], ...given } });
  clock.advance(shop.clock.now() - clock.now());
  return {
    shop,
    stripe,
    books: stripe.books(),
    session: (account) => [...stripe.books(account).sessions.keys()].at(-1) ?? '',
    async deliver(school = 'school_1', change = (body) => body) {
      const event = stripe.events.at(-1);
      if (!event) throw new Error('Stripe has nothing to say');
      const headers = {
        'Stripe-Signature': stripe.sign(event.body, 'whsec_present'),
        'Content-Type': 'application/json',
      };
      const body = change(event.body.toString());
      return shop.call('POST', stripeWebhookPath, { as: 'anonymous', school, headers, body });
    },
    advance(milliseconds) {
      clock.advance(milliseconds);
      shop.clock.advance(milliseconds);
    },
    async close() {
      await shop.close();
      await stripe.close();
    },
  };
}
