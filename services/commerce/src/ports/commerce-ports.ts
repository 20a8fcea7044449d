import type { ModulePorts } from '@lyceum/service';
import { RateLimiter } from '@lyceum/web';
import { manualProvider } from '../payments/manual-provider.ts';
import type { PaymentProvider, ProviderName } from '../payments/payment-provider.ts';
import { StripeProvider } from '../payments/stripe/stripe-provider.ts';
import { stripeOf } from '../payments/stripe/stripe-settings.ts';
import type { WebhookPorts } from '../payments/stripe/stripe-webhook.ts';
import { testProvider } from '../payments/test-provider.ts';
import { type CommerceSettings, offeredProviders } from './commerce-settings.ts';
import { InvoiceLinks } from './invoice-links.ts';
import { OrderSecrets } from '../ordering/order-secrets.ts';
import { SchoolTurns } from '../ordering/school-turns.ts';

/** What the service has beside the ports of every module. */
export interface CommerceServicePorts {
  /** Who takes payments, by name; the first where a buyer chooses none. */
  readonly providers: ReadonlyMap<ProviderName, PaymentProvider>;
  /** How Stripe is spoken to; undefined where it takes no payments. */
  readonly stripe: WebhookPorts | undefined;
  readonly turns: SchoolTurns;
  readonly secrets: OrderSecrets;
  readonly invoiceLinks: InvoiceLinks;
  readonly limits: RateLimiter;
}

/** The ports of the service. */
export type CommercePorts = ModulePorts<CommerceSettings> & CommerceServicePorts;

const transfersOf = (settings: CommerceSettings) => ({
  days: settings.MANUAL_PAYMENT_DAYS,
  instructions: settings.MANUAL_PAYMENT_INSTRUCTIONS ?? null,
});

/** Made once, at the start. */
export function commerceServicePorts(ports: ModulePorts<CommerceSettings>): CommerceServicePorts {
  const { settings, rootKeys, clock } = ports;
  const names = offeredProviders(settings);
  const stripe = names.includes('stripe') ? stripeOf(settings, clock) : undefined;
  const all = [
    testProvider(clock),
    manualProvider(transfersOf(settings)),
    ...(stripe ? [new StripeProvider(stripe)] : []),
  ];
  const offered = names.flatMap((wanted) => all.filter(({ name }) => name === wanted));
  return {
    providers: new Map(offered.map((provider) => [provider.name, provider])),
    stripe,
    turns: new SchoolTurns(),
    secrets: new OrderSecrets(rootKeys),
    invoiceLinks: new InvoiceLinks(rootKeys),
    limits: new RateLimiter(ports, settings.RATE_LIMIT_FACTOR),
  };
}

/** The provider of a payment. Throws when the operator has taken it away. */
export function providerNamed({ providers }: Pick<CommerceServicePorts, 'providers'>, name: string): PaymentProvider {
  const provider = [...providers.values()].find((each) => each.name === name);
  if (!provider) throw new Error(`the payment provider ${name} is not among PAYMENT_PROVIDERS`);
  return provider;
}
