import { z } from 'zod';
import { published } from './declaration.ts';

/** Whose subscription to which plan. */
const about = {
  subscription_id: z.string(),
  member_id: z.string(),
  plan_id: z.string(),
  plan_version: z.number().int(),
};

const period = {
  period_start: z.string().meta({ description: 'RFC 3339' }),
  period_end: z.string().nullable().meta({ description: 'RFC 3339; null = for life' }),
};

const access = z.number().int().meta({
  description: 'Counts the times that a subscription began to give access: each is a source of grants of its own',
});

const amount = z.number().int().meta({ description: 'In minor units of the currency' });

const order_id = z.string().nullable().meta({ description: 'null = nothing was paid' });

const cancellation = { reason: z.string(), by: z.string() };

const recurring = z
  .object({ amount, currency: z.string(), interval: z.enum(['month', 'year']), interval_count: z.number().int() })
  .nullable()
  .meta({ id: 'RecurringPrice' })
  .optional()
  .meta({
    description:
      'What is paid for each period once a trial is over, after the discount that counts now; null = the plan is not renewed, or the staff gave it; left out = a release before does not say',
  });

/** What happened to a subscription is the staff's to know. */
const feed = (means: string) =>
  ({ feed: { scope: 'subscriptions:read', shows: 'staff', means, of: 'subscription_id' } }) as const;

/** What becomes of subscriptions. It gives access from `SubscriptionStarted` on until it is over, but not while it is paused. */
export const subscriptionFacts = {
  SubscriptionStarted: published(
    1,
    z.object({
      ...about,
      source: z.string().meta({ description: 'checkout, or comp of what the staff gave' }),
      order_id,
      trial_end: z.string().nullable().meta({ description: 'RFC 3339; null = no trial' }),
      ...period,
      price: amount.meta({ description: 'Of one period, in minor units' }),
      currency: z.string(),
      access,
      recurring,
    }),
    feed('A subscription began'),
  ),
  /** A release before says the total only. */
  SubscriptionRenewed: published(
    1,
    z.object({
      ...about,
      order_id,
      ...period,
      price: amount.optional().meta({ description: 'Of the period, in minor units' }),
      total: amount.meta({ description: 'What was paid for the period, after discount and balance' }),
      due: amount.optional().meta({ description: 'What the period costs after the discount alone' }),
      currency: z.string(),
    }),
    feed('The next period of a subscription is paid for'),
  ),
  SubscriptionPastDue: published(
    1,
    z.object({
      ...about,
      order_id: z.string(),
      since: z.string(),
      grace_until: z.string().meta({ description: 'RFC 3339: access stays until then' }),
    }),
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
  SubscriptionPlanChanged: published(
    1,
    z.object({
      ...about,
      plan_id: z.string().meta({ description: 'The plan that is in effect now' }),
      from_plan_id: z.string(),
      order_id,
      ...period,
      access_before: access.meta({ description: 'The access that ends' }),
      access: access.meta({ description: 'The access that begins' }),
      recurring,
    }),
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
