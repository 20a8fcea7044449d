import { Problem } from '@lyceum/web';
import type { ProviderName } from '../payments/payment-provider.ts';
import type { CommercePorts } from '../ports/commerce-ports.ts';
import type { Cart } from './cart/cart.ts';
import { chosenProvider, toBePaidAtOnce, toSaveAgreements } from './payments/choosing.ts';

type Providers = Pick<CommercePorts, 'providers'>;

const forMembers = (message: string) =>
  new Problem('validation_failed', 'Sign in to buy this', {
    details: [{ path: 'items.0.item_id', code: 'for_members', message }],
  });

/**
 * Refuses a guest what somebody has to answer for. A plan that costs nothing now, and something later, begins by an agreement
 * at a provider or for a member, never for an address that anybody can type in; and a place in a plan with so many places is
 * not kept for days for nobody. Throws the 422 problem with `for_members`.
 */
export function refuseGuests({ providers }: Providers, { totals, plan }: Cart): void {
  if (!plan) return;
  const { terms, saves_agreement, is_limited } = plan;
  const all = [...providers.values()];
  const isAgreed = saves_agreement && all.some((provider) => toSaveAgreements.has(provider));
  if (totals.total === 0 && terms.kind === 'recurring' && terms.price.amount > 0 && !isAgreed)
    throw forMembers('costs nothing now and something later: sign in to agree to that');
  if (totals.total > 0 && is_limited && all.length > 0 && !all.some((provider) => toBePaidAtOnce.has(provider)))
    throw forMembers('has so many places, and is paid within days: sign in to have one kept');
}

/** Who buys, and by whom they want to pay. */
interface Wanted {
  readonly isGuest: boolean;
  readonly wanted: ProviderName | undefined;
}

/**
 * Who takes the payment, or saves the agreement to later ones; null when there is neither. Throws the problem why nobody does
 * what is asked for.
 */
export function payingProvider(ports: Providers, cart: Cart, { isGuest, wanted }: Wanted): ProviderName | null {
  const { totals, plan, school } = cart;
  if (isGuest) refuseGuests(ports, cart);
  const money = { amount: totals.total, currency: school.currency };
  if (totals.total > 0)
    return chosenProvider(ports, wanted, money, isGuest && plan?.is_limited ? toBePaidAtOnce : undefined);
  if (!plan?.saves_agreement) return null;
  const all = [...ports.providers.values()];
  if (all.some((provider) => toSaveAgreements.has(provider)))
    return chosenProvider(ports, wanted, money, toSaveAgreements);
  // Where nobody saves agreements members are asked to pay each period when it comes.
  chosenProvider(ports, wanted, money);
  return null;
}
