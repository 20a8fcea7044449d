import { isRejection, isoTime, reject } from '@lyceum/kernel';
import { payable, unusedPart } from '../billing/amounts.ts';
import { monthsIn, periodEnd } from '../billing/period.ts';
import type { SubscriptionEvent } from './subscription.events.ts';
import { type Decision, type LiveSubscription, about, live, running } from './subscription.live.ts';
import type { PlanChange, SubscriptionState } from './subscription.state.ts';
import type { Discount, Terms } from '../billing/terms.ts';

/** What can be asked about another plan. */
export type ChangingCommand =
  | {
      readonly type: 'ChangePlan';
      readonly change_id: string;
      readonly terms: Terms;
      readonly when: 'now' | 'period_end';
      /** Whether the coupon is good for the other plan, too. */
      readonly keeps_coupon: boolean;
    }
  /** What the change costs is paid. `total`: minor units, before tax. */
  | {
      readonly type: 'CompletePlanChange';
      readonly change_id: string;
      readonly order_id: string;
      readonly total: number;
    }
  /** What the change costs was not paid. */
  | { readonly type: 'AbandonPlanChange'; readonly change_id: string };

type Command<Type extends ChangingCommand['type']> = Extract<ChangingCommand, { type: Type }> & {
  readonly now: string;
};

/** How long a change may wait for its payment: what is charged without the person comes soon, a transfer takes days. */
const waiting = { charged: 3_600_000, transferred: 7 * 86_400_000 } as const;

/** What a change at once would cost: minor units. */
interface ChangeQuote {
  /** What of the present period was paid for and is not used. */
  readonly credit: number;
  /** What is to be paid, after credit and balance. */
  readonly charge: number;
  /** What is left of credit and balance for later payments. */
  readonly balance: number;
}

/** What a change to another plan would cost now; nothing in a trial, which goes on. */
function quoteChange(
  { status, period, value, balance, timezone }: LiveSubscription,
  terms: Terms,
  coupon: Discount | null,
  now: string,
): ChangeQuote {
  if (status === 'trialing' || period.end === null) return { credit: 0, charge: 0, balance };
  const credit = unusedPart(value, { start: period.start, end: period.end, timezone }, now);
  const { balance_used, total } = payable(terms, coupon, balance + credit);
  return { credit, charge: total, balance: balance + credit - balance_used };
}

const withdrawn = (state: LiveSubscription, change_id: string, reason: 'not_paid' | 'replaced'): SubscriptionEvent => ({
  type: 'SubscriptionPlanChangeWithdrawn',
  data: { ...about(state), change_id, reason },
});

/** The change in effect, from when it was asked for. A trial goes on under the other plan. */
function inEffect(state: LiveSubscription, change: PlanChange, order_id: string | null): SubscriptionEvent {
  const { change_id, terms, coupon, credit, charge, balance, requested_at } = change;
  const begins = state.status !== 'trialing';
  const { price, discount } = payable(terms, coupon, 0);
  const end = terms.interval ? periodEnd(requested_at, monthsIn(terms), state.timezone) : null;
  const period = begins
    ? { period_start: requested_at, period_end: end }
    : { period_start: state.period.start, period_end: state.period.end };
  return {
    type: 'SubscriptionPlanChanged',
    data: {
      member_id: state.member_id,
      plan_id: terms.plan_id,
      plan_version: terms.plan_version,
      change_id,
      terms,
      coupon,
      credit,
      charge,
      balance,
      from_plan_id: state.terms.plan_id,
      order_id,
      begins,
      ...period,
      value: begins ? price.amount - discount : state.value,
      access_before: state.access,
      access: state.access + 1,
    },
  };
}

/** Why a plan cannot follow the present one; undefined when it can. */
function obstacle({ cancel, change, provider, terms, period }: LiveSubscription, wanted: Terms) {
  if (wanted.price.currency !== terms.price.currency)
    return reject('currency_mismatch', 'The other plan has its price in another currency');
  if (cancel) return reject('invalid_state', 'The subscription is going to end: resume it first');
  if (period.end === null) return reject('invalid_state', 'What was bought for life cannot be changed');
  if (change?.when === 'now') return reject('invalid_state', 'Another change waits for its payment');
  if (provider === null && wanted.price.amount > 0)
    return reject('invalid_state', 'Nothing was agreed by which it could be paid: buy the plan at the checkout');
  return undefined;
}

/** Another plan, now or from the next period. The plan that there is takes back what waits for the end of the period. */
export function changePlan(command: Command<'ChangePlan'>, before: SubscriptionState): Decision {
  const { now, change_id, terms, when, keeps_coupon } = command;
  const found = running(before, now);
  if (isRejection(found)) return found;
  const { state } = found;
  if (state.change?.change_id === change_id) return [];
  const wrong = obstacle(state, terms);
  if (wrong) return wrong;
  const replaced = state.change ? [withdrawn(state, state.change.change_id, 'replaced')] : [];
  const { plan_id, plan_version } = state.terms;
  if (terms.plan_id === plan_id && terms.plan_version === plan_version) return replaced;
  const coupon = keeps_coupon ? state.coupon : null;
  const quote =
    when === 'now' ? quoteChange(state, terms, coupon, now) : { credit: 0, charge: 0, balance: state.balance };
  const patience = state.agreement === null ? waiting.transferred : waiting.charged;
  const until = when === 'now' ? earlier(isoTime(Date.parse(now) + patience), found.end) : null;
  const change = { change_id, when, terms, coupon, ...quote, requested_at: now, until };
  if (when === 'now' && quote.charge === 0) return [...replaced, inEffect(state, change, null)];
  return [...replaced, { type: 'SubscriptionPlanChangeRequested', data: { ...about(state), ...change } }];
}

const earlier = (one: string, other: string | null): string => (other !== null && other < one ? other : one);

/** Brings a change into effect that is paid. */
export function completeChange(command: Command<'CompletePlanChange'>, before: SubscriptionState): Decision {
  const state = live(before);
  if (isRejection(state)) return state;
  const { change_id, order_id, total } = command;
  if (state.paid_by === order_id) return [];
  const { change } = state;
  if (!change || change.change_id !== change_id || change.when !== 'now' || state.status !== 'active')
    return reject('invalid_state', 'The change of the plan that was paid for is not wanted any more');
  if (change.charge !== total) return reject('invalid_state', 'The change has another price than what was paid');
  return [inEffect(state, change, order_id)];
}

/** Takes a change back whose payment failed. */
export function abandonChange({ change_id }: Command<'AbandonPlanChange'>, before: SubscriptionState): Decision {
  const state = live(before);
  if (isRejection(state) || state.change?.change_id !== change_id) return [];
  return [withdrawn(state, change_id, 'not_paid')];
}
