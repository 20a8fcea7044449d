import { isoTime } from '@lyceum/kernel';
import { Problem } from '@lyceum/web';
import type { Money } from '../money/money.ts';
import type { PaymentEnd } from '../orders/order.commands.ts';
import type { PaymentTimes, ProviderName } from '../payments/payment-provider.ts';
import type { CommercePorts } from '../ports/commerce-ports.ts';

const refused = (code: string, summary: string, message: string) =>
  new Problem('validation_failed', summary, { details: [{ path: 'provider', code, message }] });

/**
 * The provider that takes the amount: the one that is wanted, else the first that does. Throws the 422 problem for one that
 * the installation does not have or that does not take the amount, 503 where there is none.
 */
export function chosenProvider(
  { providers }: Pick<CommercePorts, 'providers'>,
  wanted: ProviderName | undefined,
  money: Money,
): ProviderName {
  const all = [...providers.values()];
  if (all.length === 0) throw new Problem('temporarily_unavailable', 'Nobody takes payments here yet');
  const asked = wanted === undefined ? all : all.filter(({ name }) => name === wanted);
  const names = all.map(({ name }) => name).join(', ');
  if (asked.length === 0) throw refused('unknown_provider', 'Nobody takes payments so here', `must be one of ${names}`);
  const why: string[] = [];
  for (const provider of asked) {
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
