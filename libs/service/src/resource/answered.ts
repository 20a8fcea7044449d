import type { Call } from '@lyceum/web';
import type { ShownResource } from './declaration.ts';

/** How documents become what a call is answered with: addresses are whole, and what depends on the time is as of the call. */
export const answered =
  <Shown extends object>({ addressed, timely }: Pick<ShownResource<never, never, Shown>, 'addressed' | 'timely'>) =>
  (shown: Shown, { issuer, at }: Pick<Call, 'issuer' | 'at'>): Shown => {
    const whole = addressed?.(shown, issuer) ?? shown;
    return timely?.(whole, at) ?? whole;
  };
