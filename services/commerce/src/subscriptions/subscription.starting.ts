import { isoTime, reject } from '@lyceum/kernel';
import { payable, spend } from '../billing/amounts.ts';
import { afterDays, monthsIn, periodEnd } from '../billing/period.ts';
import type { SubscriptionEvent } from './subscription.events.ts';
import type { Decision } from './subscription.live.ts';
import { type SubscriptionState, hasEnded } from './subscription.state.ts';
import type { Discount, Terms } from '../billing/terms.ts';

/** What can be asked of a subscription that did not begin yet. */
export type StartingCommand =
  /** It is bought by an order, which is to be paid. `member_id`: null of a guest. */
  | {
      readonly type: 'PlaceSubscription';
      readonly member_id: string | null;
      readonly order_id: string;
      readonly terms: Terms;
      readonly trial_days: number;
      readonly coupon: Discount | null;
      readonly timezone: string;
      /** How long the order can be paid, where that is longer than a subscription waits by itself. */
      readonly holds_until?: string;
    }
  /** The order is paid, or there was nothing to pay. */
  | {
      readonly type: 'StartSubscription';
      readonly member_id: string;
      readonly order_id: string;
      readonly provider: string | null;
      readonly agreement: string | null;
    }
  /** The order will not be paid any more. */
  | { readonly type: 'AbandonSubscription'; readonly order_id: string }
  /** The staff give the plan to a member, at no price. */
  | { readonly type: 'GiveSubscription'; readonly member_id: string; readonly terms: Terms; readonly timezone: string };

type Command<Type extends StartingCommand['type']> = Extract<StartingCommand, { type: Type }> & {
  readonly now: string;
};

/** How long a subscription waits for its order to be paid, at least. */
const incompleteHours = 23;

/** Asks for a subscription at a checkout. */
export function place(command: Command<'PlaceSubscription'>, state: SubscriptionState): Decision {
  const { now, member_id, order_id, terms, trial_days, coupon, timezone, holds_until = now } = command;
  if (state) return state.order_id === order_id ? [] : reject('invalid_state', 'There is such a subscription already');
  const waits = isoTime(Date.parse(now) + incompleteHours * 3_600_000);
  const expires_at = holds_until > waits ? holds_until : waits;
  const data = { member_id, order_id, terms, trial_days, coupon, timezone, expires_at };
  return [{ type: 'SubscriptionPlaced', data }];
}

type Started = Extract<SubscriptionEvent, { type: 'SubscriptionStarted' }>['data'];

/** From when to when the first period, or the trial, lasts. */
function firstPeriod(now: string, terms: Terms, trial_days: number, timezone: string) {
  if (trial_days > 0) {
    const trial_end = afterDays(now, trial_days, timezone);
    return { trial_end, period_start: now, period_end: trial_end };
  }
  const period_end = terms.interval ? periodEnd(now, monthsIn(terms), timezone) : null;
  return { trial_end: null, period_start: now, period_end };
}

/** Begins a subscription whose order is paid. */
export function start(command: Command<'StartSubscription'>, state: SubscriptionState): Decision {
  const { now, member_id, order_id, provider, agreement } = command;
  if (!state || state.order_id !== order_id) return reject('not_found', 'The order is of no such subscription');
  if (state.status === 'expired') return reject('invalid_state', 'The subscription expired before it was paid');
  if (state.status !== 'incomplete') return [];
  if (state.member_id !== null && state.member_id !== member_id)
    return reject('invalid_state', 'The subscription is of somebody else');
  const { terms, trial_days, coupon, timezone } = state;
  const isTrial = trial_days > 0;
  const { price, discount } = payable(terms, coupon, 0);
  const data: Started = {
    member_id,
    plan_id: terms.plan_id,
    plan_version: terms.plan_version,
    source: 'checkout',
    order_id,
    terms,
    provider,
    agreement,
    timezone,
    coupon: isTrial ? coupon : spend(coupon),
    ...firstPeriod(now, terms, trial_days, timezone),
    value: isTrial ? 0 : price.amount - discount,
    access: 1,
  };
  return [{ type: 'SubscriptionStarted', data }];
}

/** Ends a subscription whose order will not be paid. */
export function abandon({ order_id, now }: Command<'AbandonSubscription'>, state: SubscriptionState): Decision {
  if (!state || state.order_id !== order_id || hasEnded(state)) return [];
  return state.status === 'incomplete' ? [{ type: 'SubscriptionExpired', data: { order_id, ended_at: now } }] : [];
}

/** Begins a subscription that costs nothing. */
export function give(command: Command<'GiveSubscription'>, state: SubscriptionState): Decision {
  if (state) return reject('invalid_state', 'There is such a subscription already');
  const { now, member_id, timezone } = command;
  const terms = { ...command.terms, price: { ...command.terms.price, amount: 0 } };
  const data: Started = {
    member_id,
    plan_id: terms.plan_id,
    plan_version: terms.plan_version,
    source: 'comp',
    order_id: null,
    terms,
    provider: null,
    agreement: null,
    timezone,
    coupon: null,
    ...firstPeriod(now, terms, 0, timezone),
    value: 0,
    access: 1,
  };
  return [{ type: 'SubscriptionStarted', data }];
}
