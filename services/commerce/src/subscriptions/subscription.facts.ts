import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import type { Discount, Terms } from '../billing/terms.ts';
import { discountOn } from '../money/totals.ts';
import { subscriptionEvents } from './subscription.events.ts';
import { isSubscriptionId } from './subscription.ids.ts';

/** What a period costs after a discount. */
const discounted = ({ price: { amount } }: Terms, coupon: Discount | null): number =>
  amount - (coupon ? discountOn(amount, coupon) : 0);

/** That so much is paid for each period; null where there is one period only. */
const recurringOf = ({ kind, interval, price: { currency } }: Terms, amount: number) =>
  kind === 'recurring' && interval
    ? { amount, currency, interval: interval.unit, interval_count: interval.count }
    : null;

/** What other services hear of a subscription: ids, times and amounts. What did not begin, or only waits, is in none. */
export function subscriptionFact(recorded: RecordedEvent): FactOf<'commerce'> | undefined {
  if (!isSubscriptionId(recorded.stream)) return undefined;
  const subscription_id = recorded.stream;
  const event = upcast(subscriptionEvents, recorded);
  switch (event.type) {
    case 'SubscriptionStarted': {
      const { terms, provider: _provider, agreement: _agreement, timezone: _zone, coupon, ...more } = event.data;
      const { value, ...data } = more;
      const { amount: price, currency } = terms.price;
      // The coupon is that of the next payment, which is the first one after a trial.
      const amount = data.trial_end === null ? value : discounted(terms, coupon);
      const recurring = data.source === 'comp' ? null : recurringOf(terms, amount);
      return { type: event.type, data: { subscription_id, ...data, price, currency, recurring } };
    }
    case 'SubscriptionRenewed': {
      const { price, discount, balance_used: _balance, provider: _provider, agreement: _agreed, ...data } = event.data;
      const { amount, currency } = price;
      return { type: event.type, data: { subscription_id, ...data, price: amount, due: amount - discount, currency } };
    }
    case 'SubscriptionPastDue': {
      const { payment_id: _payment, next_attempt_at: _next, ...data } = event.data;
      return { type: event.type, data: { subscription_id, ...data } };
    }
    case 'SubscriptionRecovered':
      return { type: event.type, data: { subscription_id, ...event.data } };
    case 'SubscriptionLapsed':
      return { type: event.type, data: { subscription_id, ...event.data } };
    case 'SubscriptionCancelScheduled': {
      const { canceled_at: _at, ...data } = event.data;
      return { type: event.type, data: { subscription_id, ...data } };
    }
    case 'SubscriptionCancelUnscheduled':
      return { type: event.type, data: { subscription_id, ...event.data } };
    case 'SubscriptionCanceled': {
      const { canceled_at: _at, ...data } = event.data;
      return { type: event.type, data: { subscription_id, ...data } };
    }
    case 'SubscriptionPlanChanged': {
      const { member_id, plan_id, plan_version, from_plan_id, order_id } = event.data;
      const { period_start, period_end, access_before, access } = event.data;
      const about = { subscription_id, member_id, plan_id, plan_version, from_plan_id, order_id };
      const { terms, coupon } = event.data;
      const recurring = recurringOf(terms, discounted(terms, coupon));
      return { type: event.type, data: { ...about, period_start, period_end, access_before, access, recurring } };
    }
    case 'SubscriptionExtended':
      return { type: event.type, data: { subscription_id, ...event.data } };
    case 'SubscriptionPaused': {
      const { order_id: _disputed, ...data } = event.data;
      return { type: event.type, data: { subscription_id, ...data } };
    }
    case 'SubscriptionResumed':
      return { type: event.type, data: { subscription_id, ...event.data } };
    case 'SubscriptionPlaced':
    case 'SubscriptionExpired':
    case 'SubscriptionRetryFailed':
    case 'SubscriptionPlanChangeRequested':
    case 'SubscriptionPlanChangeWithdrawn':
      return undefined;
  }
}
