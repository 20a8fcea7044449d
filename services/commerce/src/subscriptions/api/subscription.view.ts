import { renewalOf } from '../subscription.schedule.ts';
import type { PlanChange, Subscription } from '../subscription.state.ts';

/** What a view shows of a subscription. */
type Shown = 'anonymous' | 'member' | 'staff';

function changeDocument({ terms, when, charge, until }: PlanChange) {
  const { plan_id, plan_version, price } = terms;
  return { plan_id, plan_version, when, price, charge: { amount: charge, currency: price.currency }, until };
}

/** When the next period begins, RFC 3339 UTC; null where none follows. */
export const renewsAt = (subscription: Subscription): string | null => renewalOf(subscription)?.period_start ?? null;

/** A subscription as it is shown; to its member without what the reply leaves out. */
export function subscriptionDocument(id: string, subscription: Subscription, view: Shown) {
  const { status, member_id, source, terms, period, cancel, dunning, coupon, change, balance } = subscription;
  const { plan_id, plan_version, kind, interval, price } = terms;
  return {
    id,
    object: 'subscription',
    status,
    plan_id,
    plan_version,
    source,
    kind,
    interval,
    price,
    current_period_start: period?.start ?? null,
    current_period_end: period?.end ?? null,
    trial_end: subscription.trial_end,
    renews_at: renewsAt(subscription),
    cancel_at_period_end: cancel !== null,
    ends_at: cancel?.ends_at ?? null,
    cancel_reason: subscription.cancel_reason,
    canceled_at: subscription.canceled_at,
    paused_at: subscription.paused_at,
    ended_at: subscription.ended_at,
    grace_until: dunning?.grace_until ?? null,
    balance: { amount: balance, currency: price.currency },
    coupon,
    change: change && changeDocument(change),
    order_id: subscription.order_id,
    member_id,
    provider: subscription.provider,
    provider_ref: subscription.agreement,
    next_attempt_at: dunning?.next_attempt_at ?? null,
    created_at: subscription.created_at,
    updated_at: subscription.updated_at,
    version: subscription.version,
    view,
  };
}
