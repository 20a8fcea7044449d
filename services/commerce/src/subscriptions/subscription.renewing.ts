import { isRejection, reject } from '@lyceum/kernel';
import { graceAfter, graceUntil, nextAttempt } from '../billing/dunning.ts';
import { type Renewal, duesOf, nextChange, renewalOf } from './subscription.schedule.ts';
import type { SubscriptionEvent } from './subscription.events.ts';
import { evolve } from './subscription.folding.ts';
import { type Decision, type LiveSubscription, about, live } from './subscription.live.ts';
import type { SubscriptionState } from './subscription.state.ts';

/** What follows from time and from payments. */
export type RenewingCommand =
  /** The order of a period is paid. */
  | {
      readonly type: 'RenewSubscription';
      readonly order_id: string;
      readonly period_start: string;
      /** What was paid, minor units, before tax. */
      readonly total: number;
      /** What the person has agreed to with this payment, and where: later ones are charged by it. */
      readonly agreed?: Agreed;
    }
  /** A payment of the order of a period failed. */
  | {
      readonly type: 'FailRenewal';
      readonly order_id: string;
      readonly payment_id: string;
      readonly period_start: string;
    }
  /** Does what is due and needs no payment. */
  | { readonly type: 'PassTime' }
  /** Passes over the periods that are over already and that nobody was asked to pay for in time: they cost nothing. */
  | { readonly type: 'PassPeriods' };

/** By what later payments are charged without the person. */
interface Agreed {
  readonly provider: string;
  readonly agreement: string;
}

type Command<Type extends RenewingCommand['type']> = Extract<RenewingCommand, { type: Type }> & {
  readonly now: string;
};

/** How a period is paid for. `free`: nobody was asked to. */
interface Paying {
  readonly order_id: string | null;
  readonly agreed?: Agreed | undefined;
  readonly free?: true;
}

const unpaid: Paying = { order_id: null };
const nothing = { discount: 0, balance_used: 0, total: 0 };

/** The events of a renewal: what waited for it comes into effect, and what waited for a payment of its own is too late. */
function renewed(state: LiveSubscription, { order_id, agreed, free }: Paying): readonly SubscriptionEvent[] {
  const renewal = renewalOf(state);
  if (!renewal) return [];
  const { terms, price, period_start, period_end } = renewal;
  const { discount, balance_used, total } = free ? nothing : renewal;
  const { change } = state;
  const next = nextChange(state);
  const of = { ...about(state), plan_id: terms.plan_id, plan_version: terms.plan_version };
  return [
    ...(change && !next ? [withdrawn(state, change.change_id)] : []),
    ...(next ? [changedWith(state, next, of)] : []),
    {
      type: 'SubscriptionRenewed',
      data: { ...of, period_start, period_end, order_id, price, discount, balance_used, total, ...agreed },
    },
    ...(state.dunning
      ? [{ type: 'SubscriptionRecovered', data: { ...of, order_id: state.dunning.order_id } } as const]
      : []),
  ];
}

const withdrawn = (state: LiveSubscription, change_id: string): SubscriptionEvent => ({
  type: 'SubscriptionPlanChangeWithdrawn',
  data: { ...about(state), change_id, reason: 'too_late' },
});

/** The change that waited for the end of the period, right before its renewal. */
const changedWith = (
  state: LiveSubscription,
  { change_id, terms, coupon }: NonNullable<ReturnType<typeof nextChange>>,
  of: ReturnType<typeof about>,
): SubscriptionEvent => ({
  type: 'SubscriptionPlanChanged',
  data: {
    ...of,
    change_id,
    terms,
    coupon,
    credit: 0,
    charge: 0,
    balance: state.balance,
    from_plan_id: state.terms.plan_id,
    order_id: null,
    begins: false,
    period_start: state.period.start,
    period_end: state.period.end,
    value: state.value,
    access_before: state.access,
    access: state.access + 1,
  },
});

/** Begins the period that was paid for. What was paid for another period or at another price has to be paid back. */
export function renew(command: Command<'RenewSubscription'>, before: SubscriptionState): Decision {
  const state = live(before);
  if (isRejection(state)) return state;
  const { order_id, period_start, total, agreed } = command;
  if (state.paid_by === order_id) return [];
  const renewal = renewalOf(state);
  if (!renewal || renewal.period_start !== period_start)
    return reject('invalid_state', 'The payment was for another period than the one that comes next');
  if (renewal.total !== total) return reject('invalid_state', 'The next period has another price than what was paid');
  return renewed(state, { order_id, agreed });
}

/** Takes in that what is due was not paid. What is said of an earlier period, or twice, changes nothing. */
export function failRenewal(command: Command<'FailRenewal'>, before: SubscriptionState): Decision {
  const state = live(before);
  if (isRejection(state)) return [];
  const { now, order_id, payment_id, period_start } = command;
  const { timezone, dunning } = state;
  if (renewalOf(state)?.period_start !== period_start) return [];
  const data = { ...about(state), order_id, payment_id };
  if (!dunning) {
    const next_attempt_at = nextAttempt(now, now, timezone);
    const grace_until = graceUntil(now, timezone);
    return [{ type: 'SubscriptionPastDue', data: { ...data, since: now, grace_until, next_attempt_at } }];
  }
  if (dunning.order_id !== order_id || dunning.payments.includes(payment_id)) return [];
  const attempt = dunning.payments.length;
  const next_attempt_at = nextAttempt(dunning.since, now, timezone);
  const grace_until = graceAfter(dunning.grace_until, now, timezone);
  return [{ type: 'SubscriptionRetryFailed', data: { ...data, attempt, grace_until, next_attempt_at } }];
}

/** Does the first thing that is due by now and needs no payment; nothing when there is none. */
export function passTime({ now }: Command<'PassTime'>, before: SubscriptionState): Decision {
  if (!before) return [];
  const due = duesOf(before).find(({ renewal, at }) => !renewal && at <= now);
  if (!due) return [];
  const { status, order_id, expires_at } = before;
  if (status === 'incomplete' && order_id !== null && expires_at !== null)
    return [{ type: 'SubscriptionExpired', data: { order_id, ended_at: expires_at } }];
  const state = live(before);
  return isRejection(state) ? [] : passed(state, due.at);
}

/** What happens to a subscription at a time when something of it is due. */
function passed(state: LiveSubscription, at: string): readonly SubscriptionEvent[] {
  const { dunning, change, cancel, canceled_at, access } = state;
  if (dunning)
    return [
      { type: 'SubscriptionLapsed', data: { ...about(state), order_id: dunning.order_id, ended_at: at, access } },
    ];
  if (change && change.until !== null && change.until <= at) return [withdrawn(state, change.change_id)];
  if (renewalOf(state)) return renewed(state, unpaid);
  const { reason, by } = cancel ?? { reason: 'term_over' as const, by: 'system' as const };
  const data = { ...about(state), reason, by, canceled_at: canceled_at ?? at, ended_at: at, access };
  return [{ type: 'SubscriptionCanceled', data }];
}

/** Begins the last period of those that nobody was asked to pay for before they were over, if there are some. */
export function passPeriods({ now }: Command<'PassPeriods'>, before: SubscriptionState): Decision {
  const state = live(before);
  if (isRejection(state) || state.dunning) return [];
  const events: SubscriptionEvent[] = [];
  let current = state;
  for (let renewal = renewalOf(state); isOver(renewal, now); renewal = renewalOf(current)) {
    const passing = renewed(current, { order_id: null, free: true });
    events.push(...passing);
    const after = passing.reduce<SubscriptionState>(
      (from, event) => evolve(from, event, { at: now, version: 0 }),
      current,
    );
    const next = live(after);
    if (isRejection(next)) return events;
    current = next;
  }
  return events;
}

const isOver = (renewal: Renewal | null, now: string): boolean =>
  renewal !== null && renewal.period_end !== null && renewal.period_end <= now;
