import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';
import { cancelReasons, discount, terms } from '../billing/terms.ts';

const id = z.string();
/** RFC 3339 UTC. */
const time = z.string();
/** Minor units of the plan's currency. */
const amount = z.int();

/** Whose subscription to which plan. */
const about = { member_id: id, plan_id: id, plan_version: z.int() };

/** From when to when was paid for; no end = for life. */
const period = { period_start: time, period_end: time.nullable() };

/** Counts the times that the subscription began to give access: each is a source of grants of its own. */
const access = z.int();

const cancellation = { reason: z.enum(cancelReasons), by: z.enum(['member', 'staff', 'system']) };

/** A change of the plan, as it was quoted: see `subscription.changing.ts`. */
const change = {
  change_id: id,
  terms,
  coupon: discount.nullable(),
  /** What of the running period was paid for and not used. */
  credit: amount,
  /** What is to be paid now, after credit and balance. */
  charge: amount,
  /** What is left for later payments. */
  balance: amount,
};

/** The facts of one subscription, in a stream of its own. */
export const subscriptionEvents = {
  /** Asked for at a checkout, and not paid for yet. `member_id`: null of a guest, who is known once the order is paid. */
  SubscriptionPlaced: {
    version: 1,
    data: z.object({
      member_id: id.nullable(),
      order_id: id,
      terms,
      trial_days: z.int(),
      coupon: discount.nullable(),
      timezone: z.string(),
      expires_at: time,
    }),
  },
  /** Nobody paid for it. */
  SubscriptionExpired: { version: 1, data: z.object({ order_id: id, ended_at: time }) },
  /** Access begins. `order_id` null: complimentary. `value`: what the first period is worth, 0 in a trial. */
  SubscriptionStarted: {
    version: 1,
    data: z.object({
      ...about,
      source: z.enum(['checkout', 'comp']),
      order_id: id.nullable(),
      terms,
      provider: z.string().nullable(),
      agreement: z.string().nullable(),
      timezone: z.string(),
      coupon: discount.nullable(),
      trial_end: time.nullable(),
      ...period,
      value: amount,
      access,
    }),
  },
  /**
   * The next period is paid for. `order_id` null: there was nothing to pay. `provider`, `agreement`: by what later ones are
   * charged, where the person has agreed to something else with this payment.
   */
  SubscriptionRenewed: {
    version: 1,
    data: z.object({
      ...about,
      ...period,
      order_id: id.nullable(),
      price: terms.shape.price,
      discount: amount,
      balance_used: amount,
      total: amount,
      provider: z.string().optional(),
      agreement: z.string().optional(),
    }),
  },
  SubscriptionPastDue: {
    version: 1,
    data: z.object({
      ...about,
      order_id: id,
      payment_id: id,
      since: time,
      grace_until: time,
      next_attempt_at: time.nullable(),
    }),
  },
  /** Another try to collect what is due failed. `attempt` counts from 1, the first failure being 0. */
  SubscriptionRetryFailed: {
    version: 1,
    data: z.object({
      ...about,
      order_id: id,
      payment_id: id,
      attempt: z.int(),
      grace_until: time,
      next_attempt_at: time.nullable(),
    }),
  },
  /** What was due is paid. */
  SubscriptionRecovered: { version: 1, data: z.object({ ...about, order_id: id }) },
  /** What was due was not paid in time. */
  SubscriptionLapsed: { version: 1, data: z.object({ ...about, order_id: id, ended_at: time, access }) },
  SubscriptionCancelScheduled: {
    version: 1,
    data: z.object({ ...about, ...cancellation, ends_at: time, canceled_at: time }),
  },
  SubscriptionCancelUnscheduled: { version: 1, data: z.object(about) },
  SubscriptionCanceled: {
    version: 1,
    data: z.object({ ...about, ...cancellation, canceled_at: time, ended_at: time, access }),
  },
  /** Asked for and not in effect yet: `now` waits for its payment until `until`, `period_end` for the next renewal. */
  SubscriptionPlanChangeRequested: {
    version: 1,
    data: z.object({
      ...about,
      ...change,
      when: z.enum(['now', 'period_end']),
      requested_at: time,
      until: time.nullable(),
    }),
  },
  SubscriptionPlanChangeWithdrawn: {
    version: 1,
    data: z.object({
      ...about,
      change_id: id,
      reason: z.enum(['not_paid', 'replaced', 'canceled', 'too_late']),
    }),
  },
  /** Another plan is in effect. `about` names it; `from_plan_id` was it before. */
  SubscriptionPlanChanged: {
    version: 1,
    data: z.object({
      ...about,
      ...change,
      from_plan_id: id,
      order_id: id.nullable(),
      /** Whether a new period begins with it; otherwise the present one goes on. */
      begins: z.boolean(),
      ...period,
      /** What the period is worth. */
      value: amount,
      /** The times of access that end and begin with it. */
      access_before: access,
      access,
    }),
  },
  SubscriptionExtended: { version: 1, data: z.object({ ...about, days: z.int(), period_end: time }) },
  /** Access rests, and the rest of the period is kept. `order_id`: the disputed order that it rests for; absent = for none. */
  SubscriptionPaused: {
    version: 1,
    data: z.object({ ...about, paused_at: time, access, order_id: id.optional() }),
  },
  SubscriptionResumed: { version: 1, data: z.object({ ...about, ...period, access }) },
} as const satisfies EventTypes;

/** An event of a subscription. */
export type SubscriptionEvent = EventOf<typeof subscriptionEvents>;
