import type { Clock } from '@lyceum/kernel';
import { StartRefused } from '@lyceum/service';
import { z } from 'zod';
import { stripeClient } from './stripe-client.ts';
import type { WebhookPorts } from './stripe-webhook.ts';

const list = (text: string): readonly string[] => text.split(',').map((each) => each.trim());

/** What the operator says about Stripe. */
export const stripeSettings = z.object({
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_\w+$/, 'a secret or restricted key, sk_… or rk_…')
    .optional()
    .meta({ description: 'The key by which Stripe is asked, where PAYMENT_PROVIDERS has stripe', secret: true }),
  STRIPE_WEBHOOK_SECRETS: z
    .string()
    .transform(list)
    .pipe(z.array(z.string().regex(/^whsec_\w+$/, 'whsec_…, several separated by commas')).min(1))
    .optional()
    .meta({
      description:
        'What Stripe signs its events with that it sends to /api/payments/webhooks/stripe of any school; two while one replaces the other',
      secret: true,
    }),
  STRIPE_ACCOUNTS: z
    .string()
    .transform(
      (text) =>
        new Map(list(text).map((each): [string, string] => [each.split('=')[0] ?? '', each.split('=')[1] ?? ''])),
    )
    .refine(
      (accounts) => [...accounts].every(([school, account]) => school !== '' && /^acct_\w+$/.test(account)),
      'ids of schools with their accounts, school=acct_…, separated by commas',
    )
    .optional()
    .meta({
      description:
        'Connected accounts that payments of a school go to, school=acct_…, separated by commas; the account of the key for all others',
    }),
  STRIPE_API_BASE: z
    .url('an absolute URL')
    .default('https://api.stripe.com')
    .meta({ description: 'Where the API of Stripe is; another one only for tests' }),
});

/** The settings after parsing. */
export type StripeSettings = z.output<typeof stripeSettings>;

/** How Stripe is spoken to. Throws `StartRefused` without its secrets. */
export function stripeOf(settings: StripeSettings, clock: Clock): WebhookPorts {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRETS: secrets, STRIPE_API_BASE: apiBase } = settings;
  if (secretKey === undefined || secrets === undefined)
    throw new StartRefused(
      'PAYMENT_PROVIDERS has stripe, which needs STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRETS: one of them is not set',
    );
  const client = stripeClient({ secretKey, apiBase });
  const accounts = settings.STRIPE_ACCOUNTS ?? new Map<string, string>();
  return {
    client,
    secrets,
    clock,
    accountOf: (school) => accounts.get(school),
    schoolOf: (account) => [...accounts].find(([, of]) => of === account)?.[0],
  };
}
