import { type EventLog, fold } from '@lyceum/eventlog';
import type { Order } from '../orders/order.state.ts';
import { orderDecider } from '../orders/deciding/order.ts';
import { subscriptionDecider } from '../subscriptions/subscription.ts';

type Buyer = Order['buyer'];

const hasSaid = ({ company, address, tax_id, country }: Buyer): boolean =>
  [company, address, tax_id, country].some((each) => each !== undefined);

/**
 * The buyer with what they said that the invoice is to have: with a renewal they say nothing, and what they said when they
 * subscribed counts.
 */
export async function saidBuyer(log: EventLog, school: string, order: Order): Promise<Buyer> {
  const { buyer, subscription_id } = order;
  if (subscription_id === null || hasSaid(buyer)) return buyer;
  const { state: subscription } = await fold(log, subscriptionDecider, school, subscription_id);
  const first = subscription?.order_id ?? null;
  const { state: begun } = first === null ? { state: null } : await fold(log, orderDecider, school, first);
  return begun?.buyer ?? buyer;
}
