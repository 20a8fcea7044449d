import type { Incoming } from '@lyceum/documents';
import { isoTime, upcast } from '@lyceum/kernel';
import type { ProcessManager } from '@lyceum/service';
import { type OrderEvent, orderEvents } from '../orders/order.events.ts';
import { isOrderId } from '../orders/order.ids.ts';
import { subscriptionEvents } from '../subscriptions/subscription.events.ts';
import { doWhatIsDue } from './collecting.ts';
import { endChange, endDue, follow, lookAgain, notPaid, paymentFailed, takenBack } from './following.ts';
import { changeOrder } from './plan-change.ts';
import type { RenewalPorts } from './subscription-order.ts';
import { restore, suspend } from './disputing.ts';
import type { Reaction, Renewing } from './renewing.ts';
import { afterSubscriptionEvent, heldFor, heldTimer, lookTimer, lookedAt, restAfter, restedFor } from './timers.ts';

const isOf = (types: object, { type }: Incoming): boolean => Object.hasOwn(types, type);

const isOfSubscription = (event: Incoming): boolean =>
  event.stream.startsWith('subscription_') && isOf(subscriptionEvents, event);

const isOfOrder = (event: Incoming): boolean => isOrderId(event.stream) && isOf(orderEvents, event);

/** The subscription that an event of an order is about; undefined of other orders, and where nothing follows. */
function subscriptionOf({ data }: OrderEvent): string | undefined {
  return ('subscription_id' in data ? data.subscription_id : undefined) ?? undefined;
}

/** How often a provider is asked for what it does not tell, in milliseconds. */
const lookEvery = 86_400_000;

const lookLater = (order_id: string, now: string): Reaction => ({
  set: { [lookTimer(order_id)]: isoTime(Date.parse(now) + lookEvery) },
});

/** What follows for the subscription from an event of one of its orders. */
function afterOrderEvent({ type, data }: OrderEvent, order_id: string, now: string): Reaction {
  const over: Reaction = { cancel: [lookTimer(order_id), heldTimer(order_id)] };
  switch (type) {
    case 'OrderPlaced': {
      const looks = data.source === 'checkout' ? {} : lookLater(order_id, now).set;
      return { set: { ...looks, [heldTimer(order_id)]: data.holds_until } };
    }
    case 'PaymentTimeSet':
      return { set: { [heldTimer(order_id)]: data.holds_until } };
    case 'OrderFulfillable':
      return { ...over, commands: [{ do: 'paid', order_id }] };
    case 'PaymentFailed':
      return { commands: [{ do: 'failed', order_id, payment_id: data.payment_id }] };
    case 'OrderExpired':
      return { cancel: [lookTimer(order_id)], commands: [{ do: 'unpaid', order_id }] };
    case 'OrderCanceled':
      return { ...over, commands: [{ do: 'unpaid', order_id }] };
    case 'OrderRefunded':
      return data.lines.length > 0 ? { commands: [{ do: 'refunded', order_id }] } : {};
    case 'OrderDisputed':
      return data.lines ? { commands: [{ do: 'suspend', order_id }] } : {};
    case 'OrderDisputeResolved':
      return { commands: [data.won ? { do: 'restore' } : { do: 'disputed', order_id }] };
    default:
      return {};
  }
}

function afterTimer(timer: string, now: string): Reaction {
  const looked = lookedAt(timer);
  if (looked !== undefined) return { ...lookLater(looked, now), commands: [{ do: 'look', order_id: looked }] };
  const held = heldFor(timer);
  if (held !== undefined) return { commands: [{ do: 'unpaid', order_id: held }] };
  const rested = restedFor(timer);
  return { commands: [{ do: 'due', ...(rested === undefined ? {} : { rested }) }] };
}

/**
 * Keeps a subscription going: what is due of it at its time, the orders by which periods and changes are paid for, and what
 * their payments lead to. All of one subscription is done in order; those of a school take turns with those of others. What
 * a provider does not answer is tried again, and counts as no failure to pay.
 */
export const renewalProcess: ProcessManager<null, never, Renewing, RenewalPorts> = {
  name: 'renewals',
  events: {},
  initial: null,
  evolve: (state) => state,
  correlate(event) {
    if (isOfSubscription(event)) return event.stream;
    return isOfOrder(event) ? subscriptionOf(upcast(orderEvents, event)) : undefined;
  },
  react(input, _state, now) {
    if (input.kind === 'timer') return afterTimer(input.timer, now);
    if (input.kind === 'rejected')
      return restAfter(input.code, 'rested' in input.command ? input.command.rested : undefined, now);
    const { event } = input;
    if (isOfSubscription(event)) return afterSubscriptionEvent(upcast(subscriptionEvents, event));
    return afterOrderEvent(upcast(orderEvents, event), event.stream, now);
  },
  async carryOut(command, ordered, ports) {
    const work = { ordered, ports };
    switch (command.do) {
      case 'due':
        return doWhatIsDue(work);
      case 'end':
        return endDue(work);
      case 'paid':
        return follow(work, command.order_id);
      case 'unpaid':
        return notPaid(work, command.order_id);
      case 'refunded':
      case 'disputed':
        return takenBack(work, command.order_id, command.do);
      case 'suspend':
        return suspend(work, command.order_id);
      case 'restore':
        return restore(work);
      case 'look':
        return lookAgain(work, command.order_id);
      case 'failed':
        return paymentFailed(work, command.order_id, command.payment_id);
      case 'change': {
        const about = { school: ordered.tenant, subscription: ordered.correlation };
        return (await changeOrder(ports, { ...about, change_id: command.change_id })) ?? {};
      }
      case 'end_change':
        return endChange(work, command.change_id);
    }
  },
};
