import { type CommonSettings, StartRefused } from '@lyceum/service';
import { z } from 'zod';
import { type ProviderName, providerNames } from '../payments/payment-provider.ts';
import { stripeSettings } from '../payments/stripe/stripe-settings.ts';

/** What the operator says about sales. */
export const commerceSettings = z.object({
  PAYMENT_PROVIDERS: z
    .string()
    .transform((list) => list.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(providerNames, `names from ${providerNames.join(', ')}, separated by commas`)).min(1))
    .optional()
    .meta({
      description:
        'Who takes payments, the first where a buyer chooses none: manual = bank transfers that the operator confirms; stripe = Stripe; test = no money moves, refused in production; unset = test, in production nobody',
    }),
  ...stripeSettings.shape,
});

/** The settings after parsing. */
export type CommerceSettings = z.output<typeof commerceSettings>;

/** Who takes payments, the default first; none = only what is free can be had. Throws `StartRefused`. */
export function offeredProviders({
  NODE_ENV,
  PAYMENT_PROVIDERS: asked,
}: Pick<CommonSettings, 'NODE_ENV'> & Pick<CommerceSettings, 'PAYMENT_PROVIDERS'>): readonly ProviderName[] {
  const isProduction = NODE_ENV === 'production';
  if (isProduction && asked?.includes('test'))
    throw new StartRefused('PAYMENT_PROVIDERS has test, which is refused in production: no money moves there');
  return asked ?? (isProduction ? [] : ['test']);
}
