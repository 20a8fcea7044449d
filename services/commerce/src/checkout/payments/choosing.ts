import { isoTime } from '@lyceum/kernel';
import { Problem } from '@lyceum/web';
import type { Money } from '../../money/money.ts';
import type { PaymentEnd } from '../../orders/order.commands.ts';
import { savesAgreements } from '../../payments/agreements.ts';
import type { PaymentProvider, PaymentTimes, ProviderName } from '../../payments/payment-provider.ts';
import { atOnce } from '../../payments/payment-times.ts';
import type { CommercePorts } from '../../ports/commerce-ports.ts';

const refused = (code: string, summary: string, message: string) =>
  new Problem('validation_failed', summary, { details: [{ path: 'provider', code, message }] });

/** What a provider has to be able to do beside taking the amount: the code and the words for one that is not. */
export interface Need {
  readonly code: string;
  readonly message: string;
  has(provider: PaymentProvider): boolean;
}

/** That it saves an agreement to later payments. */
export const toSaveAgreements: Need = {
  code: 'saves_no_agreement',
  message: 'must be one that saves an agreement to later payments',
  has: ({ name }) => savesAgreements(name),
};

/** That people pay on a page, at once: nobody keeps a place for days. */
export const toBePaidAtOnce: Need = {
  code: 'for_members',
  message: 'must be one that is paid at once: who has days to pay signs in',
  has: ({ timeToPay }) => timeToPay <= atOnce.timeToPay,
};

/**
 * The provider that takes the amount: the one that is wanted, else the first that does. Throws the 422 problem for one that
 * the installation does not have, that does not take the amount or does not do what is needed, 503 where there is none.
 */
export function chosenProvider(
  { providers }: Pick<CommercePorts, 'providers'>,
  wanted: ProviderName | undefined,
  money: Money,
  need?: Need,
): ProviderName {
  const all = [...providers.values()];
  if (all.length === 0) throw new Problem('temporarily_unavailable', 'Nobody takes payments here yet');
  const asked = wanted === undefined ? all : all.filter(({ name }) => name === wanted);
  const names = all.map(({ name }) => name).join(', ');
  if (asked.length === 0) throw refused('unknown_provider', 'Nobody takes payments so here', `must be one of ${names}`);
  const able = need ? asked.filter((provider) => need.has(provider)) : asked;
  if (need && able.length === 0) throw refused(need.code, 'It cannot be paid so', need.message);
  const why: string[] = [];
  for (const provider of able) {
    const reason = provider.refuses(money);
    if (reason === undefined) return provider.name;
    why.push(reason);
  }
  throw refused('amount_not_taken', `Such an amount cannot be paid here: ${why.join('; ')}`, why.join('; '));
}

/** The end of the time to pay of an order that is placed at a time, with a provider. */
export function endOf(placed_at: string, { timeToPay, timeToArrive }: PaymentTimes): PaymentEnd {
  const expires = Date.parse(placed_at) + timeToPay;
  return { expires_at: isoTime(expires), holds_until: isoTime(expires + timeToArrive) };
}
