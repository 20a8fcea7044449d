import { z } from 'zod';
import { type ProviderName, providerNames } from '../payments/payment-provider.ts';
import { stripeSettings } from '../payments/stripe/stripe-settings.ts';

/** What the operator says about sales. */
export const commerceSettings = z.object({
  PAYMENT_PROVIDERS: z
    .string()
    .transform((list) => list.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(providerNames, `names from ${providerNames.join(', ')}, separated by commas`)).min(1))
    .default(['test'])
    .meta({
      description:
        'Who takes payments, the first by default: manual = bank transfers that the operator confirms; stripe = Stripe; test = no money moves',
    }),
  ...stripeSettings.shape,
});

/** The settings after parsing. */
export type CommerceSettings = z.output<typeof commerceSettings>;

/** The provider that takes payments where nobody chose one. */
export const defaultProvider = ({ PAYMENT_PROVIDERS: [first = 'test'] }: CommerceSettings): ProviderName => first;
