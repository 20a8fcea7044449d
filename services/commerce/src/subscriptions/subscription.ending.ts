import { isRejection, reject } from '@lyceum/kernel';
import { afterDays, movedBy } from '../billing/period.ts';
import type { SubscriptionEvent } from './subscription.events.ts';
import { type Decision, type LiveSubscription, about, live, running } from './subscription.live.ts';
import type { SubscriptionState } from './subscription.state.ts';
import type { CancelReason, CanceledBy } from '../billing/terms.ts';

/** What can be asked about the time that a subscription lasts. */
export type EndingCommand =
  | {
      readonly type: 'CancelSubscription';
      readonly at: 'now' | 'period_end';
      readonly reason: CancelReason;
      readonly by: CanceledBy;
    }
  /** Goes on after a pause, or does not end at the end of the period after all. */
  | {
      readonly type: 'ResumeSubscription';
      /** A member takes back what the member did, and not what the staff decided; the staff when not given. */
      readonly by?: 'member' | 'staff';
    }
  | { readonly type: 'PauseSubscription' }
  /** Lets access rest as the payment of an order is disputed. */
  | { readonly type: 'SuspendSubscription'; readonly order_id: string }
  /** Access rests no more for disputes: they are over. */
  | { readonly type: 'RestoreSubscription' }
  /** So many days more that cost nothing. */
  | { readonly type: 'ExtendSubscription'; readonly days: number };

type Command<Type extends EndingCommand['type']> = Extract<EndingCommand, { type: Type }> & { readonly now: string };

/** Days by which a period can be made longer at once. */
const mostDays = 365;

/** That what waited is not wanted any more. */
const dropped = (state: LiveSubscription): readonly SubscriptionEvent[] =>
  state.change
    ? [
        {
          type: 'SubscriptionPlanChangeWithdrawn',
          data: { ...about(state), change_id: state.change.change_id, reason: 'canceled' },
        },
      ]
    : [];

/** Ends it now or with its period. Where nothing is left that was paid for, both are the same. */
export function cancel({ at, reason, by, now }: Command<'CancelSubscription'>, before: SubscriptionState): Decision {
  const state = live(before);
  if (isRejection(state)) return state;
  const { status, period, access } = state;
  const isRunning = (status === 'active' || status === 'trialing') && (period.end === null || period.end > now);
  if (at === 'now' || !isRunning) {
    const data = { ...about(state), reason, by, canceled_at: now, ended_at: now, access };
    return [...dropped(state), { type: 'SubscriptionCanceled', data }];
  }
  if (period.end === null) return reject('invalid_state', 'What was bought for life has no end: cancel it now');
  if (state.cancel) return [];
  const data = { ...about(state), reason, by, ends_at: period.end, canceled_at: now };
  return [...dropped(state), { type: 'SubscriptionCancelScheduled', data }];
}

/** Takes a cancellation back that has not come, or ends a pause. */
export function resume({ now, by = 'staff' }: Command<'ResumeSubscription'>, before: SubscriptionState): Decision {
  const state = live(before);
  if (isRejection(state)) return state;
  const { status, period, paused_at, access } = state;
  if (by === 'member' && (status === 'paused' || (state.cancel && state.cancel.by !== 'member')))
    return reject('invalid_state', 'The school decided so: ask its staff');
  if (status === 'paused' && paused_at !== null) {
    const moved = {
      period_start: period.end === null ? period.start : movedBy(period.start, paused_at, now),
      period_end: period.end === null ? null : movedBy(period.end, paused_at, now),
    };
    return [{ type: 'SubscriptionResumed', data: { ...about(state), ...moved, access: access + 1 } }];
  }
  if (status === 'past_due')
    return reject('invalid_state', 'A payment is due: the subscription goes on once it is paid');
  if (!state.cancel) return [];
  if (state.cancel.ends_at <= now) return reject('invalid_state', 'The last period is over');
  return [{ type: 'SubscriptionCancelUnscheduled', data: about(state) }];
}

/** Lets access rest, and keeps the rest of the period. */
export function pause({ now }: Command<'PauseSubscription'>, before: SubscriptionState): Decision {
  if (before?.status === 'paused') return [];
  const found = running(before, now);
  if (isRejection(found)) return found;
  const { state, end } = found;
  if (state.status === 'trialing') return reject('invalid_state', 'A trial cannot be paused');
  if (end === null) return reject('invalid_state', 'What was bought for life cannot be paused');
  if (state.cancel) return reject('invalid_state', 'The subscription is going to end: resume it first');
  if (state.change) return reject('invalid_state', 'A change of the plan is waiting: take it back first');
  return [{ type: 'SubscriptionPaused', data: { ...about(state), paused_at: now, access: state.access } }];
}

/**
 * Lets access rest while the payment of an order is disputed, whatever the subscription is about to do: a cancellation comes
 * with the end of the period, which moves, and a change that waits is dropped. Nothing of a trial was paid for.
 */
export function suspend(
  { order_id, now }: Command<'SuspendSubscription'>,
  before: SubscriptionState,
): readonly SubscriptionEvent[] {
  const state = live(before);
  if (isRejection(state) || state.status === 'trialing' || state.disputed?.includes(order_id)) return [];
  // The staff have paused it: that is theirs to end.
  if (state.status === 'paused' && !state.disputed) return [];
  const data = { ...about(state), paused_at: now, access: state.access, order_id };
  return [...dropped(state), { type: 'SubscriptionPaused', data }];
}

/** Gives the rest of the period again, unless the staff have paused it or had it go on meanwhile. */
export function restore({ now }: Command<'RestoreSubscription'>, before: SubscriptionState): Decision {
  const isResting = before?.status === 'paused' && before.disputed !== undefined;
  return isResting ? resume({ type: 'ResumeSubscription', now }, before) : [];
}

/** Makes the present period, or the trial, longer. */
export function extend({ days, now }: Command<'ExtendSubscription'>, before: SubscriptionState): Decision {
  const found = running(before, now);
  if (isRejection(found)) return found;
  const { state, end } = found;
  if (!Number.isInteger(days) || days < 1 || days > mostDays)
    return reject('validation_failed', `A subscription can be extended by 1 to ${mostDays} days`, [
      { path: 'days', code: 'out_of_range', message: `must be 1 to ${mostDays}` },
    ]);
  if (end === null) return reject('invalid_state', 'What was bought for life has no end');
  if (state.change?.when === 'now') return reject('invalid_state', 'A change of the plan waits for its payment');
  const period_end = afterDays(end, days, state.timezone);
  return [{ type: 'SubscriptionExtended', data: { ...about(state), days, period_end } }];
}
