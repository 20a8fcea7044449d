import { type Rejection, isRejection, reject } from '@lyceum/kernel';
import type { SubscriptionEvent } from './subscription.events.ts';
import { type Subscription, type SubscriptionState, hasEnded } from './subscription.state.ts';

/** What a command can be rejected for. */
export type SubscriptionCode =
  'not_found' | 'invalid_state' | 'already_canceled' | 'already_subscribed' | 'currency_mismatch' | 'validation_failed';

/** What a command leads to. */
export type Decision = readonly SubscriptionEvent[] | Rejection<SubscriptionCode>;

/** A subscription that has begun and is not over. */
export type LiveSubscription = Subscription & {
  readonly member_id: string;
  readonly period: NonNullable<Subscription['period']>;
};

/** The subscription when it has begun and is not over. */
export function live(state: SubscriptionState): LiveSubscription | Rejection<SubscriptionCode> {
  if (!state) return reject('not_found', 'There is no such subscription');
  const { member_id, period, status } = state;
  if (status === 'canceled') return reject('already_canceled', 'The subscription was canceled');
  if (hasEnded(state)) return reject('invalid_state', `The subscription is over: it has ${status}`);
  if (member_id === null || period === null) return reject('invalid_state', 'The subscription is not paid yet');
  return { ...state, member_id, period };
}

/** The subscription when a period of it runs: neither is a payment due, nor does it rest. `end`: null = for life. */
export function running(
  before: SubscriptionState,
  now: string,
): { readonly state: LiveSubscription; readonly end: string | null } | Rejection<SubscriptionCode> {
  const state = live(before);
  if (isRejection(state)) return state;
  const { status, period } = state;
  if (status !== 'active' && status !== 'trialing')
    return reject('invalid_state', `This is not possible while the subscription is ${status}`);
  if (period.end !== null && period.end <= now) return reject('invalid_state', 'The subscription is being renewed');
  return { state, end: period.end };
}

/** Whose subscription to which plan it is. */
export const about = ({ member_id, terms }: LiveSubscription) => ({
  member_id,
  plan_id: terms.plan_id,
  plan_version: terms.plan_version,
});
