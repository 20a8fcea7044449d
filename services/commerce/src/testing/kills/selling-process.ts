import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export const webhookSecret = 'whsec_present';
export const secretKey = 'sk_test_key';
export const serviceToken = 'service-token-of-this-test-only-0123456789';

const programs = join(import.meta.dirname, '../../../../../libs/tools/crashtest/dist/sales');
const preload = pathToFileURL(join(programs, 'fused-services.js')).href;

/** Where a process dies: at a commit of a service, or while Stripe is asked. */
export type Death =
  | {
      readonly service: 'commerce' | 'learning' | 'school';
      /** The type of an event of the commit, or the beginning of the name of one of its streams, ended by `/`. */
      readonly event: string;
      readonly when: 'before' | 'after';
      readonly passage: number;
    }
  /** `asked`: method and path. `after`: Stripe has done it, and nobody is answered. */
  | { readonly asked: RegExp; readonly when: 'before' | 'after'; readonly passage: number };

interface Wanted {
  readonly death: Death | undefined;
  /** Milliseconds that commerce lives ahead of the machine. */
  readonly ahead: number;
  /** Where Stripe is. */
  readonly stripe: string;
}

/** The program and the settings of a process. One that is to die is the services without the gateway: a start costs less. */
export function sellingProcess({ death, ahead, stripe }: Wanted): {
  readonly program: string | undefined;
  readonly env: Readonly<Record<string, string>>;
} {
  const dies = death && 'event' in death ? { dies: death } : {};
  return {
    program: death && join(programs, 'selling-program.js'),
    env: {
      // The whole system has the demo.
      ...(death ? { DEMO_PASSWORD: '' } : { NODE_OPTIONS: `--import ${preload}` }),
      SERVICE_TOKEN: serviceToken,
      FUSED_SERVICES: JSON.stringify({ ...dies, ahead: { services: ['commerce'], by: ahead } }),
      PAYMENT_PROVIDERS: 'stripe,test',
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRETS: webhookSecret,
      STRIPE_API_BASE: stripe,
      LOG_LEVEL: 'debug',
    },
  };
}
