import { z } from 'zod';
import { published, subjectEvents } from './declaration.ts';

const coupon_id = z.string();

/** What happened to a coupon is its staff's to know: codes are in no event. */
const couponFeed = (means: string) => ({ feed: { scope: 'coupons:read', shows: 'staff', means } }) as const;

const plan_id = z.string();

const allOrSome = z.union([z.literal('all'), z.array(z.string())]).meta({ id: 'ShownGrantedItems' });

/** Items that a plan opens or closes; `item_id` null = everything of that type. */
const items = z.array(
  z
    .object({ item_type: z.enum(['course', 'digital_product']), item_id: z.string().nullable() })
    .meta({ id: 'PlanItem' }),
);

const planFeed = (means: string, shows: 'everyone' | 'staff') =>
  ({ scope: 'membership_plans:read', shows, means }) as const;

/** What the commerce service publishes. */
export const commerceFacts = {
  ...subjectEvents,
  CouponCreated: published(1, z.object({ coupon_id }), couponFeed('A coupon was made')),
  /** Its terms or its status. */
  CouponChanged: published(1, z.object({ coupon_id }), couponFeed('A coupon is different')),
  /** In minor units. */
  CouponRedeemed: published(
    1,
    z.object({ coupon_id, order_id: z.string(), amount: z.number().int(), currency: z.string() }),
    couponFeed('A coupon took so much off an order'),
  ),
  CouponDeleted: published(1, z.object({ coupon_id }), couponFeed('A coupon was deleted')),
  /** A membership plan that is listed looks like this. `amount` in minor units; `interval` null = for life. */
  PlanShown: published(
    1,
    z.object({
      plan_id,
      slug: z.string(),
      name: z.string(),
      summary: z.string().nullable(),
      benefits: z.array(z.string()),
      position: z.number().int(),
      kind: z.string(),
      interval: z.string().nullable(),
      interval_count: z.number().int().nullable(),
      amount: z.number().int(),
      currency: z.string(),
      trial_days: z.number().int(),
      /** Of the terms that it is sold at, from 1. */
      plan_version: z.number().int(),
      /** Whether one can subscribe now. */
      available: z.boolean(),
    }),
    { feed: planFeed('A public membership plan looks like this', 'everyone'), offer: 'membership_plan' },
  ),
  PlanHidden: published(1, z.object({ plan_id }), {
    feed: planFeed('A membership plan is listed no longer', 'everyone'),
    offer: 'membership_plan',
  }),
  /** Drafts too. */
  PlanChanged: published(1, z.object({ plan_id }), {
    feed: planFeed('A membership plan, drafts too, is different', 'staff'),
  }),
  PlanRetired: published(1, z.object({ plan_id }), { feed: planFeed('A membership plan is sold no more', 'staff') }),
  PlanDeleted: published(1, z.object({ plan_id }), { feed: planFeed('A membership plan was deleted', 'staff') }),
  /** What a plan opens, drafts too. `keep_existing`: those who have it keep what is removed. */
  PlanGrantsChanged: published(
    1,
    z.object({
      plan_id,
      plan_version: z.number().int(),
      grants: z
        .object({
          courses: allOrSome,
          digital_products: allOrSome,
          posts: z.boolean(),
          event_discount_percent: z.number().int(),
        })
        .meta({ id: 'ShownPlanGrants' }),
      added: items,
      removed: items,
      keep_existing: z.boolean(),
    }),
    { feed: planFeed('A membership plan, drafts too, opens something else', 'staff') },
  ),
} as const;
