import type { EventLog, Expectation } from '@lyceum/eventlog';
import { type SideEvent, isRejection } from '@lyceum/kernel';
import { problemOf } from '@lyceum/web';
import type { OrderData } from '../../orders/order.events.ts';
import {
  eventsOfPlacing,
  expectationsOf,
  readSubscription,
  subscriptionRejections,
} from '../../subscribing/subscribing.ts';
import type { SubscriptionCommand } from '../../subscriptions/subscription.ts';
import type { Cart } from './cart.ts';

/** The order that a plan is bought by. */
interface BoughtBy {
  readonly id: string;
  readonly member: string | undefined;
  readonly cart: Cart;
  /** RFC 3339 UTC: when it is placed, and until when it can be paid at the latest. */
  readonly at: string;
  readonly holds_until: string;
}

/** What is written with an order into other streams, and at which of their versions. */
interface Beside {
  readonly beside: readonly SideEvent[];
  readonly expectedVersions: readonly Expectation[];
}

const nothing: Beside = { beside: [], expectedVersions: [] };

/** The subscription that an order with a membership plan is for: it has the order's own UUID. */
export const subscriptionOf = (order: string): string => order.replace(/^order_/, 'subscription_');

/** What an order says of the subscription that it is for. */
export const subscribedBy = (
  order: string,
  { plan }: Cart,
): Pick<OrderData<'OrderPlaced'>, 'subscription_id' | 'saves_agreement'> =>
  plan ? { subscription_id: subscriptionOf(order), saves_agreement: plan.saves_agreement } : { subscription_id: null };

/**
 * The events by which the subscription to the plan of a cart is placed, as of now: nothing without a plan. Throws the
 * problem why it cannot be, e.g. that the plan has as many subscribers as it may have.
 */
export async function readSubscribing(log: EventLog, school: string, by: BoughtBy): Promise<Beside> {
  const { id: order_id, member, cart, at: now, holds_until } = by;
  if (!cart.plan) return nothing;
  const { terms, trial_days, coupon } = cart.plan;
  const command = {
    type: 'PlaceSubscription',
    now,
    member_id: member ?? null,
    order_id,
    terms,
    trial_days,
    coupon,
    timezone: cart.school.timezone,
    holds_until,
  } as const satisfies SubscriptionCommand;
  const read = await readSubscription(log, school, subscriptionOf(order_id), command);
  const beside = eventsOfPlacing(read, command);
  if (isRejection(beside)) throw problemOf(beside, subscriptionRejections);
  return { beside, expectedVersions: expectationsOf(read) };
}
