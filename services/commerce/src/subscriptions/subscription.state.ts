import type { Recorded } from '@lyceum/kernel';
import type { CancelReason, CanceledBy, Discount, Terms } from '../billing/terms.ts';

/** Stripe's words, but for `unpaid`, and with `expired` and `lapsed` for what ended because nobody paid. */
export type SubscriptionStatus =
  'incomplete' | 'expired' | 'trialing' | 'active' | 'past_due' | 'paused' | 'lapsed' | 'canceled';

/** What is tried while a renewal is not paid. Times are RFC 3339 UTC. */
export interface Dunning {
  readonly order_id: string;
  /** The payments that failed. */
  readonly payments: readonly string[];
  /** When the first one failed. */
  readonly since: string;
  readonly grace_until: string;
  /** null = nothing is tried any more. */
  readonly next_attempt_at: string | null;
}

/** A change of the plan that is not in effect yet. */
export interface PlanChange {
  readonly change_id: string;
  readonly when: 'now' | 'period_end';
  readonly terms: Terms;
  readonly coupon: Discount | null;
  readonly credit: number;
  readonly charge: number;
  readonly balance: number;
  readonly requested_at: string;
  /** Until when it waits for its payment; null = for the next renewal. */
  readonly until: string | null;
}

/** One member's subscription to one plan at a time. Amounts are minor units of the plan's currency, times RFC 3339 UTC. */
export interface Subscription extends Recorded {
  readonly status: SubscriptionStatus;
  /** null of a guest who has not paid. */
  readonly member_id: string | null;
  readonly source: 'checkout' | 'comp';
  readonly terms: Terms;
  readonly timezone: string;
  /** The first order; null = complimentary. */
  readonly order_id: string | null;
  /** How it is paid: the provider, and what the person agreed to there. */
  readonly provider: string | null;
  readonly agreement: string | null;
  readonly coupon: Discount | null;
  readonly trial_days: number;
  readonly trial_end: string | null;
  /** When an incomplete one expires. */
  readonly expires_at: string | null;
  /** null before it started. */
  readonly period: { readonly start: string; readonly end: string | null } | null;
  /** From where periods are counted, and how many months after it the present one ends. */
  readonly anchor: string;
  readonly months: number;
  /** What the present period is worth: what was paid for it, be it from the balance. */
  readonly value: number;
  /** What was paid and is to be set off against later payments. */
  readonly balance: number;
  /** The order that the present period was paid by; null = none. */
  readonly paid_by: string | null;
  readonly dunning: Dunning | null;
  readonly cancel: {
    readonly ends_at: string;
    readonly reason: CancelReason;
    readonly by: CanceledBy;
  } | null;
  readonly change: PlanChange | null;
  readonly paused_at: string | null;
  /** The disputed orders that it rests for; absent = it rests because the staff paused it, or not at all. */
  readonly disputed?: readonly string[];
  readonly canceled_at: string | null;
  readonly cancel_reason: CancelReason | null;
  readonly ended_at: string | null;
  /** How often it began to give access, each time under a source of grants of its own. */
  readonly access: number;
}

/** A subscription; null = there is none. */
export type SubscriptionState = Subscription | null;

const withAccess: readonly SubscriptionStatus[] = ['trialing', 'active', 'past_due'];
const ended: readonly SubscriptionStatus[] = ['expired', 'lapsed', 'canceled'];

/** Whether it gives access: also while a payment is due and the time of grace runs. */
export const givesAccess = ({ status }: Pick<Subscription, 'status'>): boolean => withAccess.includes(status);

/** Whether it is over for ever. */
export const hasEnded = ({ status }: Pick<Subscription, 'status'>): boolean => ended.includes(status);
