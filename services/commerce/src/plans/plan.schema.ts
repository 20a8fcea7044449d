import { currencyCode, slug } from '@lyceum/contracts';
import { membersOf, mergePatch, staff } from '@lyceum/service';
import { z } from 'zod';
import { planFields, planGrants, planStatuses, planTerms } from './plan.fields.ts';

const members = membersOf('plan', 'membership_plan');
const { visible, max_subscribers, ...open } = planFields.shape;
const { kind, interval, interval_count, amount } = planTerms.shape;

const countOrAll = z.union([z.literal('all'), z.int()]).meta({ id: 'GrantedCount', description: 'How many, or all.' });

/** A membership plan as clients read it, in lists too. */
export const planReply = z
  .object({
    ...members.first,
    ...open,
    slug,
    kind,
    interval,
    interval_count,
    price: z
      .object({ amount: amount.meta({ description: 'In minor units.', example: 1500 }), currency: z.string() })
      .meta({ id: 'PlanPrice', description: 'Of one payment.' }),
    opens: z
      .object({
        courses: countOrAll,
        digital_products: countOrAll,
        posts: z.boolean(),
        event_discount_percent: z.int(),
      })
      .meta({ id: 'PlanOpens', description: 'How much it opens.' }),
    available: z.boolean().meta({ description: 'Whether one can subscribe now.' }),
    plan_version: z.int().meta({ description: 'Of the terms that it is sold at; subscribers keep theirs.' }),
    published_at: z.iso.datetime().nullable(),
    grants: z
      .object({
        courses: planGrants.shape.courses,
        digital_products: planGrants.shape.digital_products,
        posts: z.boolean(),
        event_discount_percent: z.int(),
      })
      .meta({ ...staff, id: 'PlanGrants', description: 'What it opens.' }),
    visible: visible.meta(staff),
    max_subscribers: max_subscribers.meta(staff),
    subscriber_count: z.int().meta({ ...staff, description: 'Those who have it now.' }),
    status: z.enum(planStatuses).meta(staff),
    ...members.last,
  })
  .meta({ id: 'MembershipPlan', description: 'What members pay for, again and again or once, and what it opens.' });

/** The reply after parsing. */
export type PlanReply = z.output<typeof planReply>;

const price = z
  .strictObject({
    amount,
    currency: currencyCode().optional().meta({ description: 'Default, and only value: the currency of the school.' }),
  })
  .meta({ id: 'SetPlanPrice' });

const settable = {
  slug: slug.optional(),
  summary: open.summary.optional(),
  description: open.description.optional(),
  benefits: open.benefits.optional(),
  position: open.position.optional(),
  trial_days: open.trial_days.optional(),
  visible: visible.optional(),
  max_subscribers: max_subscribers.optional(),
  interval: interval.optional(),
  interval_count: interval_count.optional(),
};

/** The body that creates a plan. */
export const createPlanBody = z
  .strictObject({ name: open.name, kind: kind.optional(), price, grants: planGrants.optional(), ...settable })
  .meta({
    id: 'CreateMembershipPlan',
    description:
      'Creates a draft. Recurring, and a month at a time, unless stated. Without a slug one is made of the name.',
    example: { name: 'Friends of the workshop', price: { amount: 1500 }, grants: { courses: 'all' } },
  });

/** The body that changes a plan. */
export const changePlanBody = mergePatch(
  { name: open.name.optional(), kind: kind.optional(), price: price.optional(), ...settable },
  { id: 'ChangeMembershipPlan', example: { trial_days: 14 } },
);

/** The body that says at what terms a plan is sold from now on. */
export const planVersionBody = z
  .strictObject({
    kind: kind.optional(),
    price: price.optional(),
    interval: interval.optional(),
    interval_count: interval_count.optional(),
  })
  .meta({
    id: 'MembershipPlanVersion',
    description: 'What is left out stays as it is.',
    example: { price: { amount: 1800 } },
  });

/** The body that sets what a plan opens. */
export const planGrantsBody = z
  .strictObject({
    ...planGrants.shape,
    keep_existing: z
      .boolean()
      .default(false)
      .meta({ description: 'Those who have the plan keep what it opens no longer, as long as they have it.' }),
  })
  .meta({ id: 'SetMembershipPlanGrants', description: 'All that it opens.', example: { courses: 'all' } });
