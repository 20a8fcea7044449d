import { fold } from '@lyceum/eventlog';
import { isoTime } from '@lyceum/kernel';
import type { Order } from '../orders/order.state.ts';
import { orderDecider } from '../orders/deciding/order.ts';
import { subscriptionDecider } from '../subscriptions/subscription.ts';
import { charge } from './charging.ts';
import { changeOrderId } from './renewal.ids.ts';
import { type RenewalPorts, placeSubscriptionOrder } from './subscription-order.ts';

/** How long money may take that was sent at the end of the time to pay. */
const timeToArrive = 10 * 60_000;

/** An order, and what it is. */
interface ChangeOrder {
  readonly order_id: string;
  readonly order: Order;
}

/**
 * Has a change of the plan paid that costs something at once: by an order, which is charged by what was agreed, or waits
 * for the person on its page until the change is over. The same order however often it is asked for; undefined when the
 * subscription waits for no such change, or it costs nothing. Throws when the provider gives no answer; the order is
 * there, and the process of the subscription asks again.
 */
export async function changeOrder(
  ports: RenewalPorts,
  {
    school,
    subscription,
    change_id,
  }: { readonly school: string; readonly subscription: string; readonly change_id: string },
): Promise<ChangeOrder | undefined> {
  const order_id = changeOrderId(school, subscription, change_id);
  const orderNow = async () => (await fold(ports.log, orderDecider, school, order_id)).state;
  const placed =
    (await orderNow()) ??
    (await placeSubscriptionOrder(ports, {
      school,
      subscription,
      id: order_id,
      wanted({ change }, now) {
        if (change?.change_id !== change_id || change.when !== 'now' || change.charge === 0) return undefined;
        const { terms, charge: total, until } = change;
        if (until === null || until <= now) return undefined;
        const holds_until = isoTime(Date.parse(until) + timeToArrive);
        return { source: 'change', terms, total, expires_at: until, holds_until };
      },
    }));
  if (!placed) return undefined;
  const { state } = await fold(ports.log, subscriptionDecider, school, subscription);
  // Withdrawn meanwhile: nobody is charged.
  if (state?.change?.change_id === change_id)
    await charge(ports, { school, id: order_id, order: placed, subscription: state });
  const order = (await orderNow()) ?? placed;
  return { order_id, order };
}
