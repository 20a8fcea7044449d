import { z } from 'zod';
import { cancelReasons, terms } from '../../billing/terms.ts';
import { checkoutReply } from '../../checkout/checkout.schema.ts';
import { money } from '../../money/money.schema.ts';
import { orderReply } from '../../orders/api/order.schema.ts';

const time = z.iso.datetime();

/** What a subscription goes through. */
export const subscriptionStatuses = [
  'incomplete',
  'expired',
  'trialing',
  'active',
  'past_due',
  'paused',
  'lapsed',
  'canceled',
] as const;

/** What the platform says of itself is no reason that somebody gives. */
const ownReasons = ['term_over', 'erased', 'refunded'] as const;
const reasons = z.enum(cancelReasons).exclude([...ownReasons]);

const interval = z
  .object({ unit: z.enum(['month', 'year']), count: z.int() })
  .nullable()
  .meta({ id: 'SubscriptionInterval', description: 'How long a period is; null = for life.' });

const change = z
  .object({
    plan_id: z.string(),
    plan_version: z.int(),
    when: z.enum(['now', 'period_end']),
    price: money,
    charge: money.meta({ description: 'To be paid for it, after what is credited.' }),
    until: time.nullable().meta({ description: 'Until when it waits for its payment; null = for the next period.' }),
  })
  .nullable()
  .meta({ id: 'SubscriptionChange', description: 'Another plan that is not in effect yet.' });

const fields = {
  id: z.string().meta({ example: 'subscription_0195a3c2-7d10-7abc-8def-0123456789ab' }),
  object: z.literal('subscription'),
  status: z.enum(subscriptionStatuses).meta({
    description: 'It gives access while it is trialing, active or past_due. incomplete: not paid yet.',
  }),
  plan_id: z.string(),
  plan_version: z.int().meta({ description: 'Of the terms that it was bought at: they stay as they are.' }),
  source: z.enum(['checkout', 'comp']).meta({ description: 'comp: given by the staff, at no price.' }),
  kind: terms.shape.kind.meta({
    description: 'recurring is renewed, fixed_term ends with its period, lifetime never ends.',
  }),
  interval,
  price: money.meta({ description: 'Of one period, before discount and tax.' }),
  current_period_start: time.nullable().meta({ description: 'null = it did not begin.' }),
  current_period_end: time.nullable().meta({ description: 'null = it did not begin, or never ends.' }),
  trial_end: time.nullable(),
  renews_at: time.nullable().meta({ description: 'When the next period begins and is paid for; null = none follows.' }),
  cancel_at_period_end: z.boolean(),
  ends_at: time.nullable().meta({ description: 'When it ends, where it was canceled for the end of a period.' }),
  cancel_reason: z.enum(cancelReasons).nullable(),
  canceled_at: time.nullable(),
  paused_at: time.nullable(),
  ended_at: time.nullable(),
  grace_until: time.nullable().meta({ description: 'Until when access stays while a payment is due.' }),
  balance: money.meta({ description: 'Paid already, and set off against later payments.' }),
  coupon: z
    .object({
      coupon_id: z.string(),
      kind: z.enum(['percent', 'amount']),
      value: z.int().meta({ description: 'Per cent, or minor units.' }),
      remaining_cycles: z.int().nullable().meta({ description: 'Payments that it is left for; null = all.' }),
    })
    .nullable()
    .meta({ id: 'SubscriptionCoupon' }),
  change,
  order_id: z.string().nullable().meta({ description: 'Of the order that it was bought by.' }),
};

const last = { created_at: time, updated_at: time, version: z.int().min(1) };

/** A subscription as the staff read it. */
export const subscriptionReply = z
  .object({
    ...fields,
    member_id: z.string().nullable().meta({ description: 'null of a guest who has not paid yet.' }),
    provider: z.string().nullable().meta({ description: 'Who charges later payments; null = nothing was agreed.' }),
    provider_ref: z.string().nullable().meta({
      description: 'What the provider calls the agreement to later payments; where one subscription is read.',
    }),
    next_attempt_at: time.nullable().meta({ description: 'When payment is tried again that is due.' }),
    ...last,
    view: z.enum(['anonymous', 'member', 'staff']),
  })
  .meta({ id: 'Subscription', description: 'Somebody’s membership plan: what it costs them, and until when.' });

/** A subscription as its member reads it. */
export const ownSubscription = z
  .object({ ...fields, ...last })
  .meta({ id: 'OwnSubscription', description: 'A membership plan that the person has, or had.' });

/** The subscription of a path. */
export const subscriptionParams = z.object({
  subscription: z
    .string()
    .regex(/^subscription_[0-9a-f-]{36}$/)
    .meta({ description: 'Id of the subscription.' }),
});

/** The id of a membership plan. */
export const planId = z
  .string()
  .regex(/^plan_[0-9a-f-]{36}$/, 'must be the id of a membership plan')
  .meta({ example: 'plan_0195a3c2-7d10-7abc-8def-0123456789ab' });

/** The body that gives a plan to a member. */
export const giveBody = z.strictObject({ member_id: z.string().min(1).max(64), plan_id: planId }).meta({
  id: 'GiveSubscription',
  example: { member_id: 'account_1', plan_id: 'plan_0195a3c2-7d10-7abc-8def-0123456789ab' },
});

/** The body that cancels a subscription. */
export const cancelBody = z
  .strictObject({
    at: z.enum(['now', 'period_end']).default('period_end').meta({
      description: 'now ends access at once. Nothing is paid back by it.',
    }),
    reason: reasons.default('other'),
  })
  .meta({ id: 'CancelSubscription', example: { at: 'period_end', reason: 'too_expensive' } })
  .prefault({});

/** The body by which a member cancels: what was paid for stays. */
export const ownCancelBody = z
  .strictObject({ reason: reasons.default('other') })
  .meta({ id: 'CancelOwnSubscription', example: { reason: 'unused' } })
  .prefault({});

/** The body that makes the present period longer. */
export const extendBody = z
  .strictObject({ days: z.int().min(1).max(365) })
  .meta({ id: 'ExtendSubscription', example: { days: 14 } });

const another = {
  plan_id: planId.meta({ description: 'At the terms that it is sold at now.' }),
  when: z.enum(['now', 'period_end']).default('period_end').meta({
    description: 'now credits the days that are paid and not used, and begins a new period.',
  }),
};

/** The body that changes the plan of a subscription. */
export const changePlanBody = z.strictObject(another).meta({
  id: 'ChangePlan',
  example: { plan_id: 'plan_0195a3c2-7d10-7abc-8def-0123456789ab', when: 'period_end' },
});

/** What a change of the plan would come to. */
export const changeQuote = z
  .object({
    object: z.literal('plan_change_quote'),
    plan_id: z.string(),
    plan_version: z.int(),
    when: z.enum(['now', 'period_end']),
    price: money.meta({ description: 'Of one period of the other plan.' }),
    credit: money.meta({ description: 'What of the present period is paid and not used.' }),
    charge: money.meta({ description: 'To be paid at once, before tax.' }),
    total: money.meta({ description: 'To be paid at once, tax included.' }),
    balance: money.meta({ description: 'What is left for later payments.' }),
    effective_at: time.nullable().meta({ description: 'When it is in effect; null = once it is paid.' }),
    current_period_end: time.nullable(),
  })
  .meta({ id: 'PlanChangeQuote', description: 'What another plan would cost. Nothing follows from it.' });

/** A subscription whose plan is changed, and how that is paid. */
export const planChangeReply = z
  .object({
    ...subscriptionReply.shape,
    order: orderReply.nullable().meta({ description: 'By which the change is paid; null = nothing is paid at once.' }),
    payment: checkoutReply.shape.payment,
  })
  .meta({ id: 'PlanChangeReply', description: 'A subscription after a change of its plan was asked for.' });
