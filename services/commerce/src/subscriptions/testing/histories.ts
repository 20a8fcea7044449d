import { isRejection } from '@lyceum/kernel';
import type { Terms } from '../../billing/terms.ts';
import type { SubscriptionEvent } from '../subscription.events.ts';
import type { SubscriptionState } from '../subscription.state.ts';
import { type SubscriptionCommand, subscriptionDecider } from '../subscription.ts';

/** A day of 2027 at noon, UTC: 1 is 1 January. */
export const day = (number: number, hour = 12): string => new Date(Date.UTC(2027, 0, number, hour)).toISOString();

/** A plan that is renewed each month. */
export const monthly: Terms = {
  plan_id: 'plan_monthly',
  plan_version: 1,
  kind: 'recurring',
  interval: { unit: 'month', count: 1 },
  price: { amount: 3_100, currency: 'USD' },
};

/** One that is renewed each year. */
export const yearly: Terms = {
  ...monthly,
  plan_id: 'plan_yearly',
  interval: { unit: 'year', count: 1 },
  price: { amount: 30_000, currency: 'USD' },
};

/** Three months, and then no more. */
export const season: Terms = {
  ...monthly,
  plan_id: 'plan_season',
  kind: 'fixed_term',
  interval: { unit: 'month', count: 3 },
  price: { amount: 9_000, currency: 'USD' },
};

/** For ever. */
export const lifetime: Terms = {
  ...monthly,
  plan_id: 'plan_lifetime',
  kind: 'lifetime',
  interval: null,
  price: { amount: 90_000, currency: 'USD' },
};

/** An event, and when it was written. */
export interface Happened {
  readonly event: SubscriptionEvent;
  readonly at: string;
}

/** A subscription of one stream: takes commands, keeps what came of them, and the claims that it has. */
export class History {
  readonly log: Happened[] = [];
  readonly claimed = new Set<string>();
  state: SubscriptionState = null;

  /** What a command leads to; the code when it is rejected. */
  do(command: SubscriptionCommand): readonly SubscriptionEvent[] | string {
    const decision = subscriptionDecider.decide(command, this.state);
    if (isRejection(decision)) return decision.rejected;
    for (const event of decision) this.#take(event, command.now);
    return decision;
  }

  #take(event: SubscriptionEvent, at: string): void {
    for (const { value } of subscriptionDecider.releases?.(event, this.state) ?? []) this.claimed.delete(value);
    for (const { value } of subscriptionDecider.claims?.(event) ?? []) this.claimed.add(value);
    this.log.push({ event, at });
    this.state = subscriptionDecider.evolve(this.state, event, { at, version: this.log.length });
  }
}

/** A subscription after commands that are all accepted. */
export function after(...commands: readonly SubscriptionCommand[]): History {
  const history = new History();
  for (const command of commands) {
    const outcome = history.do(command);
    if (typeof outcome === 'string') throw new Error(`${command.type}: ${outcome}`);
  }
  return history;
}

/** Commands of the member `account_1`, whose first order is `order_1`. */
export const ask = {
  place: (now: string, terms = monthly, trial_days = 0) =>
    ({
      type: 'PlaceSubscription',
      now,
      member_id: 'account_1',
      order_id: 'order_1',
      timezone: 'UTC',
      terms,
      trial_days,
      coupon: null,
    }) as const,
  start: (now: string, order_id = 'order_1') =>
    ({
      type: 'StartSubscription',
      now,
      member_id: 'account_1',
      order_id,
      provider: 'test',
      agreement: 'agreement_1',
    }) as const,
  give: (now: string, terms = monthly) =>
    ({ type: 'GiveSubscription', now, member_id: 'account_1', terms, timezone: 'UTC' }) as const,
  renew: (now: string, period_start: string, order_id = 'order_2', total = 3_100) =>
    ({ type: 'RenewSubscription', now, order_id, period_start, total }) as const,
  fail: (now: string, period_start: string, payment_id = 'payment_1', order_id = 'order_2') =>
    ({ type: 'FailRenewal', now, order_id, payment_id, period_start }) as const,
  pass: (now: string) => ({ type: 'PassTime', now }) as const,
  passPeriods: (now: string) => ({ type: 'PassPeriods', now }) as const,
  cancel: (now: string, at: 'now' | 'period_end') =>
    ({ type: 'CancelSubscription', now, at, reason: 'unused', by: 'member' }) as const,
  resume: (now: string) => ({ type: 'ResumeSubscription', now }) as const,
  suspend: (now: string, order_id = 'order_1') => ({ type: 'SuspendSubscription', now, order_id }) as const,
  restore: (now: string) => ({ type: 'RestoreSubscription', now }) as const,
  pause: (now: string) => ({ type: 'PauseSubscription', now }) as const,
  extend: (now: string, days: number) => ({ type: 'ExtendSubscription', now, days }) as const,
  change: (now: string, terms: Terms, when: 'now' | 'period_end' = 'now', change_id = 'change_1') =>
    ({ type: 'ChangePlan', now, change_id, terms, when, keeps_coupon: true }) as const,
  complete: (now: string, total: number, change_id = 'change_1', order_id = 'order_3') =>
    ({ type: 'CompletePlanChange', now, change_id, order_id, total }) as const,
  abandonChange: (now: string, change_id = 'change_1') => ({ type: 'AbandonPlanChange', now, change_id }) as const,
};
