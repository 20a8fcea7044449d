import type Stripe from 'stripe';

/** How Stripe is reached. */
export interface StripeAccess {
  /** `sk_…` or, with only the rights that are needed, `rk_…`. */
  readonly secretKey: string;
  /** The origin of the API. */
  readonly apiBase: string;
  /** Milliseconds for each try; 20 s when not given. */
  readonly timeout?: number;
}

/** Tries after the first one, of requests that did not arrive or that Stripe asks to repeat: all have idempotency keys. */
const retries = 2;

/**
 * The official client. It is loaded when it is asked for first, so that installations without Stripe never load it. Sends
 * nothing but what is asked for: neither telemetry nor what machine this is.
 */
export function stripeClient({ secretKey, apiBase, timeout = 20_000 }: StripeAccess): () => Promise<Stripe> {
  const { protocol, hostname, port } = new URL(apiBase);
  let made: Promise<Stripe> | undefined;
  return () =>
    (made ??= import('stripe').then(
      ({ default: Client }) =>
        new Client(secretKey, {
          protocol: protocol === 'http:' ? 'http' : 'https',
          host: hostname,
          port: port || (protocol === 'http:' ? 80 : 443),
          timeout,
          maxNetworkRetries: retries,
          telemetry: false,
        }),
    ));
}
