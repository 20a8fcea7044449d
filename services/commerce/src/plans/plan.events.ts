import type { EventOf, EventTypes } from '@lyceum/kernel';
import { z } from 'zod';

const nothing = z.object({});

/** What describes a plan, as it is stored: the API asks for more. */
const fields = z.object({
  name: z.string(),
  summary: z.string().nullable(),
  description: z.string().nullable(),
  benefits: z.array(z.string()),
  position: z.int(),
  trial_days: z.int(),
  visible: z.boolean(),
  max_subscribers: z.int().nullable(),
});

/** `amount` in minor units. */
const terms = z.object({
  kind: z.enum(['recurring', 'fixed_term', 'lifetime']),
  interval: z.enum(['month', 'year']).nullable(),
  interval_count: z.int().nullable(),
  amount: z.int(),
  currency: z.string(),
});

const allOrSome = z.union([z.literal('all'), z.array(z.string())]);

const grants = z.object({
  courses: allOrSome,
  digital_products: allOrSome,
  posts: z.boolean(),
  event_discount_percent: z.int(),
});

/** Items that are opened or closed; `item_id` null = all of that type. */
const items = z.array(z.object({ item_type: z.enum(['course', 'digital_product']), item_id: z.string().nullable() }));

const plan_version = z.int();
const subscription_id = z.string();

/** The events of a membership plan, in the stream named after its id. */
export const planEvents = {
  PlanCreated: { version: 1, data: z.object({ slug: z.string(), fields, terms, created_by: z.string() }) },
  PlanChanged: { version: 1, data: z.object({ fields: fields.partial() }) },
  PlanSlugChanged: { version: 1, data: z.object({ slug: z.string() }) },
  /** New sales are at these terms. The version grows once it was sold at the terms before. */
  PlanTermsSet: { version: 1, data: z.object({ plan_version, terms }) },
  /** `keep_existing`: those who have the plan keep what is removed. */
  PlanGrantsChanged: {
    version: 1,
    data: z.object({ plan_version, grants, added: items, removed: items, keep_existing: z.boolean() }),
  },
  PlanActivated: { version: 1, data: nothing },
  PlanRetired: { version: 1, data: nothing },
  PlanDeleted: { version: 1, data: nothing },
  /** What everybody may know of a plan that is listed. Follows its activation, and every change of it. */
  PlanShown: {
    version: 1,
    data: z.object({
      slug: z.string(),
      name: z.string(),
      summary: z.string().nullable(),
      benefits: z.array(z.string()),
      position: z.int(),
      trial_days: z.int(),
      plan_version,
      ...terms.shape,
      available: z.boolean(),
    }),
  },
  /** It is in no list any more. */
  PlanHidden: { version: 1, data: nothing },
  /** A subscription to it began, or ended. */
  PlanSubscriberAdded: { version: 1, data: z.object({ subscription_id, plan_version }) },
  PlanSubscriberRemoved: { version: 1, data: z.object({ subscription_id }) },
} as const satisfies EventTypes;

/** An item that a plan opens or closes. */
export type GrantedItem = z.output<typeof items>[number];

/** What describes a plan, as it is stored. */
export type StoredPlan = z.output<typeof fields>;

/** What a plan costs, as it is stored. */
export type StoredTerms = z.output<typeof terms>;

/** What a plan opens, as it is stored. */
export type StoredGrants = z.output<typeof grants>;

/** An event of a plan. */
export type PlanEvent = EventOf<typeof planEvents>;
