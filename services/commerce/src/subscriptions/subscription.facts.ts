import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { subscriptionEvents } from './subscription.events.ts';
import { isSubscriptionId } from './subscription.ids.ts';

/** What other services hear of a subscription: ids, times and amounts. What did not begin, or only waits, is in none. */
export function subscriptionFact(recorded: RecordedEvent): FactOf<'commerce'> | undefined {
  if (!isSubscriptionId(recorded.stream)) return undefined;
  const subscription_id = recorded.stream;
  const event = upcast(subscriptionEvents, recorded);
  switch (event.type) {
    case 'SubscriptionStarted': {
      const {
        terms,
        provider: _provider,
        agreement: _agreement,
        timezone: _zone,
        coupon: _coupon,
        ...more
      } = event.data;
      const { value: _value, ...data } = more;
      const { amount: price, currency } = terms.price;
      return { type: event.type, data: { subscription_id, ...data, price, currency } };
    }
    case 'SubscriptionRenewed': {
      const {
        price,
        discount: _discount,
        balance_used: _balance,
        provider: _provider,
        agreement: _agreed,
        ...data
      } = event.data;
      return { type: event.type, data: { subscription_id, ...data, currency: price.currency } };
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
      return { type: event.type, data: { ...about, period_start, period_end, access_before, access } };
    }
    case 'SubscriptionExtended':
      return { type: event.type, data: { subscription_id, ...event.data } };
    case 'SubscriptionPaused':
      return { type: event.type, data: { subscription_id, ...event.data } };
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
