import type { Documents } from '@lyceum/documents';
import { type EventLog, execute, fold } from '@lyceum/eventlog';
import { isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import { leastCharge } from '../money/least-charge.ts';
import type { PlacedOrder } from '../orders/order.commands.ts';
import { paymentId } from '../orders/order.ids.ts';
import { numbering, numberingStream } from '../orders/order.numbers.ts';
import type { Order } from '../orders/order.state.ts';
import { orderDecider } from '../orders/deciding/order.ts';
import { savesAgreements } from '../payments/agreements.ts';
import type { PaymentProvider, ProviderName } from '../payments/payment-provider.ts';
import { planDecider } from '../plans/plan.ts';
import { type CommercePorts, providerNamed } from '../ports/commerce-ports.ts';
import { knownSchool } from '../schools/known-schools.ts';
import type { Subscription } from '../subscriptions/subscription.state.ts';
import { subscriptionDecider } from '../subscriptions/subscription.ts';
import { type WantedOrder, orderFor } from './wanted-order.ts';

/** With what orders of subscriptions are placed and paid. */
export type RenewalPorts = Pick<CommercePorts, 'log' | 'clock' | 'turns' | 'providers'> & {
  readonly documents: Pick<Documents, 'get'>;
};

interface Placing {
  readonly school: string;
  readonly subscription: string;
  /** The order. */
  readonly id: string;
  /** What is wanted of the subscription as it is now; undefined = nothing any more. */
  readonly wanted: (state: Subscription, now: string) => WantedOrder | undefined;
}

/** The subscription wants no such order any more. */
class Unwanted extends Error {}

/**
 * Who takes the payments of a subscription: as was agreed, as long as the operator offers it, else whoever takes payments
 * without an agreement. Throws when nobody takes payments.
 */
function providerOf({ providers }: Pick<RenewalPorts, 'providers'>, { provider }: Subscription): ProviderName {
  const names = [...providers.keys()];
  const found = names.find((name) => name === provider) ?? names.find((name) => !savesAgreements(name)) ?? names[0];
  if (!found) throw new Error('nobody takes payments here, and a subscription is to be paid');
  return found;
}

/**
 * The order that is wanted. A period that costs so little that its provider never takes it is given: its order is over
 * nothing. What a balance leaves is never so little.
 */
function orderOver(asked: WantedOrder, about: Parameters<typeof orderFor>[1], provider: PaymentProvider): PlacedOrder {
  const order = orderFor(asked, about);
  const { total: amount, currency } = order;
  const isSmall = asked.source === 'renewal' && amount < leastCharge(currency);
  const isGiven = isSmall && provider.refuses({ amount, currency }) !== undefined;
  return isGiven ? orderFor({ ...asked, total: 0 }, about) : order;
}

const titleOf = async (log: EventLog, school: string, plan: string): Promise<string> =>
  (await fold(log, planDecider, school, plan)).state?.name ?? plan;

/**
 * Places an order of a subscription, once for its id: in one commit with its number, as long as the subscription is as it
 * was read. undefined when the subscription wants it no more.
 */
export async function placeSubscriptionOrder(
  { log, clock, documents, turns, providers }: RenewalPorts,
  { school, subscription, id, wanted }: Placing,
): Promise<Order | undefined> {
  const { tax } = await knownSchool({ documents }, school);
  const at = isoTime(clock.now());
  const command = async () => {
    const [{ state: last, version }, { state, version: own }] = await Promise.all([
      fold(log, numbering, school, numberingStream),
      fold(log, subscriptionDecider, school, subscription),
    ]);
    const asked = state && wanted(state, at);
    if (!state?.member_id || !asked) throw new Unwanted();
    const provider = providerOf({ providers }, state);
    const title = await titleOf(log, school, asked.terms.plan_id);
    const about = { id, subscription, member_id: state.member_id, provider, title, tax };
    const order = orderOver(asked, about, providerNamed({ providers }, provider));
    const payment = order.total > 0 ? { payment_id: paymentId(id, 1), provider } : null;
    const held = { seats: [], coupon: null };
    return {
      command: { type: 'PlaceOrder', id, order, payment, numbering: last, held, now: at } as const,
      expectedVersions: [
        { stream: numberingStream, version },
        { stream: subscription, version: own },
      ],
    };
  };
  const commitId = uuidv5('subscription-order', school, id);
  const request = { tenant: school, stream: id, command, at, meta: { actor: 'system' }, commitId };
  try {
    const done = await turns.take(school, () => execute(log, orderDecider, request));
    if (isRejection(done)) throw new Error(done.reason);
    return done.state ?? undefined;
  } catch (error) {
    if (error instanceof Unwanted) return undefined;
    throw error;
  }
}
