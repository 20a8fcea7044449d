import { z } from 'zod';
import { published } from './declaration.ts';

/** Whose subscription to which plan. */
const about = {
  subscription_id: z.string(),
  member_id: z.string(),
  plan_id: z.string(),
  plan_version: z.number().int(),
};

/** RFC 3339; no end = for life. */
const period = { period_start: z.string(), period_end: z.string().nullable() };

/** Counts the times that a subscription began to give access: each is a source of grants of its own. */
const access = z.number().int();

/** In minor units. */
const amount = z.number().int();

/** null = nothing was paid. */
const order_id = z.string().nullable();

const cancellation = { reason: z.string(), by: z.string() };

/** What happened to a subscription is the staff's to know. */
const feed = (means: string) =>
  ({ feed: { scope: 'subscriptions:read', shows: 'staff', means, of: 'subscription_id' } }) as const;

/** What becomes of subscriptions. It gives access from `SubscriptionStarted` on until it is over, but not while it is paused. */
export const subscriptionFacts = {
  /** `source`: checkout, or comp of what the staff gave. `trial_end` null = no trial. `price`: of one period. */
  SubscriptionStarted: published(
    1,
    z.object({
      ...about,
      source: z.string(),
      order_id,
      trial_end: z.string().nullable(),
      ...period,
      price: amount,
      currency: z.string(),
      access,
    }),
    feed('A subscription began'),
  ),
  /** `total`: what was paid for the next period, after discount and balance. */
  SubscriptionRenewed: published(
    1,
    z.object({ ...about, order_id, ...period, total: amount, currency: z.string() }),
    feed('The next period of a subscription is paid for'),
  ),
  /** Access stays until `grace_until`. */
  SubscriptionPastDue: published(
    1,
    z.object({ ...about, order_id: z.string(), since: z.string(), grace_until: z.string() }),
    feed('The next period of a subscription could not be paid'),
  ),
  SubscriptionRecovered: published(1, z.object({ ...about, order_id: z.string() }), feed('What was due is paid')),
  SubscriptionLapsed: published(
    1,
    z.object({ ...about, order_id: z.string(), ended_at: z.string(), access }),
    feed('A subscription is over: what was due was not paid in time'),
  ),
  SubscriptionCancelScheduled: published(
    1,
    z.object({ ...about, ...cancellation, ends_at: z.string() }),
    feed('A subscription ends with its period'),
  ),
  SubscriptionCancelUnscheduled: published(1, z.object(about), feed('A subscription goes on after all')),
  SubscriptionCanceled: published(
    1,
    z.object({ ...about, ...cancellation, ended_at: z.string(), access }),
    feed('A subscription is over: it was canceled'),
  ),
  /** `plan_id`: of the plan that is in effect now. `access_before` ends, `access` begins. */
  SubscriptionPlanChanged: published(
    1,
    z.object({ ...about, from_plan_id: z.string(), order_id, ...period, access_before: access, access }),
    feed('A subscription has another plan'),
  ),
  SubscriptionExtended: published(
    1,
    z.object({ ...about, days: z.number().int(), period_end: z.string() }),
    feed('The present period of a subscription lasts longer'),
  ),
  SubscriptionPaused: published(1, z.object({ ...about, paused_at: z.string(), access }), feed('A subscription rests')),
  SubscriptionResumed: published(1, z.object({ ...about, ...period, access }), feed('A subscription goes on')),
} as const;
