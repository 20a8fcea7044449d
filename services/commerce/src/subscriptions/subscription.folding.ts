import { type EventContext, recording, unrecorded } from '@lyceum/kernel';
import { spend } from '../billing/amounts.ts';
import { monthsIn } from '../billing/period.ts';
import type { SubscriptionEvent } from './subscription.events.ts';
import type { Subscription, SubscriptionState, SubscriptionStatus } from './subscription.state.ts';

const blank: Omit<Subscription, 'terms' | 'timezone'> = {
  status: 'incomplete',
  member_id: null,
  source: 'checkout',
  order_id: null,
  provider: null,
  agreement: null,
  coupon: null,
  trial_days: 0,
  trial_end: null,
  expires_at: null,
  period: null,
  anchor: '',
  months: 0,
  value: 0,
  balance: 0,
  paid_by: null,
  dunning: null,
  cancel: null,
  change: null,
  paused_at: null,
  canceled_at: null,
  cancel_reason: null,
  ended_at: null,
  access: 0,
  ...unrecorded,
};

type Data<Type extends SubscriptionEvent['type']> = Extract<SubscriptionEvent, { type: Type }>['data'];

function started(before: SubscriptionState, data: Data<'SubscriptionStarted'>): Subscription {
  const { period_start, period_end, trial_end, terms, timezone } = data;
  const { member_id, source, order_id, provider, agreement, coupon, value, access } = data;
  return {
    ...(before ?? blank),
    member_id,
    source,
    order_id,
    provider,
    agreement,
    coupon,
    value,
    access,
    terms,
    timezone,
    trial_end,
    status: trial_end === null ? 'active' : 'trialing',
    expires_at: null,
    period: { start: period_start, end: period_end },
    anchor: trial_end ?? period_start,
    months: trial_end === null ? monthsIn(terms) : 0,
    paid_by: trial_end === null ? order_id : null,
  };
}

const renewed = (state: Subscription, data: Data<'SubscriptionRenewed'>): Subscription => ({
  ...state,
  status: 'active',
  period: { start: data.period_start, end: data.period_end },
  months: state.months + monthsIn(state.terms),
  value: data.total + data.balance_used,
  balance: state.balance - data.balance_used,
  coupon: spend(state.coupon),
  paid_by: data.order_id,
  provider: data.provider ?? state.provider,
  agreement: data.agreement ?? state.agreement,
  dunning: null,
});

/** The change is in effect. At the end of a period, or in a trial, the renewal follows, which begins the new period. */
function changed(state: Subscription, data: Data<'SubscriptionPlanChanged'>): Subscription {
  const { terms, coupon, balance, value, access, begins, period_start, period_end, order_id } = data;
  return {
    ...state,
    terms,
    balance,
    value,
    access,
    period: { start: period_start, end: period_end },
    ...(begins ? { anchor: period_start, months: monthsIn(terms), paid_by: order_id } : {}),
    coupon: begins ? spend(coupon) : coupon,
    change: null,
  };
}

/** The rest of the present period lies elsewhere now, and later ones are counted from its end. */
const moved = (state: Subscription, start: string, end: string | null): Subscription => ({
  ...state,
  period: { start, end },
  ...(end === null ? {} : { anchor: end, months: 0 }),
});

const over = (
  { disputed: _disputed, ...state }: Subscription,
  status: SubscriptionStatus,
  ended_at: string,
): Subscription => ({
  ...state,
  status,
  ended_at,
  expires_at: null,
  dunning: null,
  cancel: null,
  change: null,
  paused_at: null,
});

function failed(state: Subscription, data: Data<'SubscriptionPastDue' | 'SubscriptionRetryFailed'>): Subscription {
  const { order_id, payment_id, grace_until, next_attempt_at } = data;
  const since = 'since' in data ? data.since : state.dunning?.since;
  if (since === undefined) return state;
  const payments = [...(state.dunning?.payments ?? []), payment_id];
  return { ...state, status: 'past_due', dunning: { order_id, payments, since, grace_until, next_attempt_at } };
}

/** The subscription after an event, but for its times in the log. */
function apply(before: SubscriptionState, event: SubscriptionEvent): SubscriptionState {
  if (event.type === 'SubscriptionPlaced') return { ...blank, ...event.data };
  if (event.type === 'SubscriptionStarted') return started(before, event.data);
  return before && applied(before, event);
}

/** The events of a subscription that there is. */
type LaterEvent = Exclude<SubscriptionEvent, { readonly type: 'SubscriptionPlaced' | 'SubscriptionStarted' }>;

function applied(state: Subscription, { type, data }: LaterEvent): Subscription {
  switch (type) {
    case 'SubscriptionExpired':
      return over(state, 'expired', data.ended_at);
    case 'SubscriptionRenewed':
      return renewed(state, data);
    case 'SubscriptionPastDue':
    case 'SubscriptionRetryFailed':
      return failed(state, data);
    case 'SubscriptionRecovered':
      return { ...state, dunning: null };
    case 'SubscriptionLapsed':
      return over(state, 'lapsed', data.ended_at);
    case 'SubscriptionCancelScheduled': {
      const { ends_at, reason, by, canceled_at } = data;
      return { ...state, cancel: { ends_at, reason, by }, canceled_at, cancel_reason: reason };
    }
    case 'SubscriptionCancelUnscheduled':
      return { ...state, cancel: null, canceled_at: null, cancel_reason: null };
    case 'SubscriptionCanceled':
      return {
        ...over(state, 'canceled', data.ended_at),
        canceled_at: data.canceled_at,
        cancel_reason: data.reason,
      };
    case 'SubscriptionPlanChangeRequested': {
      const { member_id: _member, plan_id: _plan, plan_version: _version, ...change } = data;
      return { ...state, change };
    }
    case 'SubscriptionPlanChangeWithdrawn':
      return { ...state, change: null };
    case 'SubscriptionPlanChanged':
      return changed(state, data);
    case 'SubscriptionExtended':
      return extended(state, data.period_end);
    case 'SubscriptionPaused':
      return paused(state, data);
    case 'SubscriptionResumed':
      return resumed(state, data);
  }
}

/** It may rest for several disputed orders: since the first one. What was due is asked for again afterwards. */
const paused = (state: Subscription, { paused_at, order_id }: Data<'SubscriptionPaused'>): Subscription => ({
  ...state,
  status: 'paused',
  paused_at: state.paused_at ?? paused_at,
  ...(order_id === undefined ? {} : { disputed: [...(state.disputed ?? []), order_id] }),
  dunning: null,
});

function resumed(
  { disputed: _disputed, ...state }: Subscription,
  { period_start, period_end, access }: Data<'SubscriptionResumed'>,
): Subscription {
  const { cancel } = state;
  return {
    ...moved(state, period_start, period_end),
    status: 'active',
    paused_at: null,
    cancel: cancel && { ...cancel, ends_at: period_end ?? cancel.ends_at },
    access,
  };
}

/** A longer period, or a longer trial; a scheduled end moves along. */
function extended(state: Subscription, end: string): Subscription {
  const { period, cancel, trial_end, status } = state;
  return {
    ...moved(state, period?.start ?? end, end),
    trial_end: status === 'trialing' ? end : trial_end,
    cancel: cancel && { ...cancel, ends_at: end },
  };
}

const recorded = recording<Subscription, SubscriptionEvent>(apply, { created: 'SubscriptionPlaced' });

/** Folds an event as the log recorded it. */
export function evolve(before: SubscriptionState, event: SubscriptionEvent, context: EventContext): SubscriptionState {
  const state = recorded(before, event, context);
  return state && { ...state, created_at: before?.created_at ?? context.at };
}
