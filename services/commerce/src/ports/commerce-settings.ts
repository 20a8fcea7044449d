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
  MANUAL_PAYMENT_DAYS: z
    .string()
    .regex(/^\d{1,2}$/, 'whole days from 1 to 60')
    .transform(Number)
    .refine((days) => days >= 1 && days <= 60, 'whole days from 1 to 60')
    .default(7)
    .meta({
      description:
        'How long people have for a bank transfer; what is limited is held for members meanwhile, for guests 40 minutes',
    }),
  MANUAL_PAYMENT_INSTRUCTIONS: z
    .string()
    .regex(/^\s*\S[^]{0,999}$/, 'a text of up to 1000 characters')
    .optional()
    .meta({
      description:
        'What people are told who pay by bank transfer: whose account, which number, at which bank; what they write on it stands beside. Needed in production where PAYMENT_PROVIDERS has manual',
    }),
  ...stripeSettings.shape,
});

/** The settings after parsing. */
export type CommerceSettings = z.output<typeof commerceSettings>;

type Asked = Pick<CommonSettings, 'NODE_ENV'> &
  Pick<CommerceSettings, 'PAYMENT_PROVIDERS' | 'MANUAL_PAYMENT_INSTRUCTIONS'>;

/** Who takes payments, the default first; none = only what is free can be had. Throws `StartRefused`. */
export function offeredProviders({
  NODE_ENV,
  PAYMENT_PROVIDERS: asked,
  MANUAL_PAYMENT_INSTRUCTIONS: instructions,
}: Asked): readonly ProviderName[] {
  const isProduction = NODE_ENV === 'production';
  if (isProduction && asked?.includes('test'))
    throw new StartRefused('PAYMENT_PROVIDERS has test, which is refused in production: no money moves there');
  if (isProduction && asked?.includes('manual') && instructions === undefined)
    throw new StartRefused(
      'PAYMENT_PROVIDERS has manual, which needs MANUAL_PAYMENT_INSTRUCTIONS in production: nobody would know where to pay',
    );
  return asked ?? (isProduction ? [] : ['test']);
}
