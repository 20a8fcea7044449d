import { fold } from '@lyceum/eventlog';
import { uuidv5 } from '@lyceum/kernel';
import { heads } from '@lyceum/service';
import { type Call, type Operation, Problem, accepted, asOf, operation } from '@lyceum/web';
import { type OrderNow, openPayment, paymentDocument } from '../../checkout/payments/paying.ts';
import { isFor } from '../../coupons/coupon.reduction.ts';
import { couponDecider } from '../../coupons/coupon.ts';
import { orderDecider } from '../../orders/deciding/order.ts';
import { orderDocument } from '../../orders/api/order.view.ts';
import type { CommercePorts } from '../../ports/commerce-ports.ts';
import { agreementFor } from '../../renewals/charging.ts';
import { changeOrder } from '../../renewals/plan-change.ts';
import { knownSchool } from '../../schools/known-schools.ts';
import { previewSubscription, subscriptionRejections } from '../../subscribing/subscribing.ts';
import type { Subscription } from '../subscription.state.ts';
import { subscriptionDecider } from '../subscription.ts';
import { type AskedChange, outcomeOf, quoteDocument } from './plan-change.quote.ts';
import { termsNow } from './subscription.giving.ts';
import { changePlanBody, changeQuote, planChangeReply, subscriptionParams } from './subscription.schema.ts';
import { subscriptionDocument } from './subscription.view.ts';
import { command, subscriptionAfter } from './subscription.writing.ts';

const path = '/api/subscriptions/{subscription}/change-plan';

const changing = {
  method: 'POST',
  area: 'subscriptions',
  scope: 'subscriptions:write',
  anonymous: false,
  roles: heads,
  params: subscriptionParams,
  body: changePlanBody,
  status: 200,
} as const;

type Changing = Call<{ params: typeof subscriptionParams; body: typeof changePlanBody }>;

/** Whether the coupon of a subscription is good for another plan, too. */
async function keepsCoupon(
  { log }: Pick<CommercePorts, 'log'>,
  school: string,
  { coupon: discount }: Subscription,
  item_id: string,
): Promise<boolean> {
  if (!discount) return false;
  const { state: coupon } = await fold(log, couponDecider, school, discount.coupon_id);
  return coupon !== null && isFor(coupon, { item_type: 'membership_plan', item_id });
}

/** The command that a call means, at the terms of now. Throws the problem when there is no such subscription, or plan. */
async function commandOf(ports: CommercePorts, call: Changing): Promise<Omit<AskedChange, 'now'>> {
  const { school, params, body, commit } = call;
  const { plan_id, when } = body;
  const { state } = await fold(ports.log, subscriptionDecider, school, params.subscription);
  if (!state) throw new Problem('not_found', 'There is no such subscription');
  const terms = await termsNow(ports, school, plan_id);
  const keeps_coupon = await keepsCoupon(ports, school, state, plan_id);
  const change_id = uuidv5('plan-change', school, params.subscription, commit.commitId);
  return { type: 'ChangePlan', change_id, terms, when, keeps_coupon };
}

/** Says what another plan would come to. */
const quotePlanChange = (ports: CommercePorts): Operation =>
  operation({
    ...changing,
    id: 'quotePlanChange',
    path: `${path}/quotes`,
    summary: 'Ask what another plan would cost',
    description:
      'As of now, for one subscription: what is credited, charged at once, and when it is in effect. Nothing follows from it.',
    reply: changeQuote,
    errors: [
      'already_canceled',
      'currency_mismatch',
      'invalid_state',
      'not_found',
      'price_changed',
      'sold_out',
      'temporarily_unavailable',
    ],
    async handle(call) {
      const { school, params, at: now } = call;
      const asked = { ...(await commandOf(ports, call)), now };
      const preview = accepted(
        await previewSubscription(ports.log, school, params.subscription, asked),
        subscriptionRejections,
      );
      if (!preview.state) throw new Problem('not_found', 'There is no such subscription');
      const { tax } = await knownSchool(ports, school);
      return { body: quoteDocument(asked, outcomeOf(preview.state, preview.events, asked), tax) };
    },
  });

type ChangePorts = Pick<CommercePorts, 'log' | 'clock' | 'documents' | 'turns' | 'providers' | 'logger'>;

/** Has the order of a change placed, and charged where that was agreed. Throws the 503 problem while the provider is away. */
async function placed(ports: ChangePorts, school: string, subscription: string, change_id: string) {
  try {
    return await changeOrder(ports, { school, subscription, change_id });
  } catch (err) {
    ports.logger.error({ err, school, subscription_id: subscription }, 'a change of the plan cannot be charged now');
    throw new Problem('temporarily_unavailable', 'The change waits for its payment; repeat the request with its key', {
      headers: { 'Retry-After': '2' },
    });
  }
}

/** The order by which a change is paid, with the page where the person pays it unless it is charged; null without one. */
async function orderOfChange(
  ports: ChangePorts,
  { school, issuer, params }: Pick<Changing, 'school' | 'issuer' | 'params'>,
  subscription: Subscription,
  change_id: string,
): Promise<{ readonly id: string; readonly now: OrderNow } | null> {
  const { change } = subscription;
  if (change?.change_id !== change_id || change.when !== 'now') return null;
  const made = await placed(ports, school, params.subscription, change_id);
  if (!made) return null;
  const { order_id: id } = made;
  const { state, ...at } = await fold(ports.log, orderDecider, school, id);
  if (!state) return null;
  const payment = state.payments.at(-1);
  const isCharged = payment !== undefined && agreementFor(subscription, payment) !== null;
  const title = state.lines[0]?.title ?? '';
  const now = { ...at, state };
  return { id, now: isCharged ? now : await openPayment(ports, { school, issuer, id, title }, now) };
}

/** Changes the plan of a subscription, by the staff. */
const changePlan = (ports: CommercePorts): Operation =>
  operation({
    ...changing,
    id: 'changeSubscriptionPlan',
    path,
    summary: 'Change the plan of a subscription',
    description:
      'For the next period, or now: then the days that are paid and not used are credited, and a new period begins once what is left to pay is paid. It is charged by what the member agreed to; otherwise the answer has where to pay. The plan that there is takes back what waits for the end of the period. Ask for a quote first.',
    idempotencyKey: 'required',
    ifMatch: 'accepted',
    reply: planChangeReply,
    errors: [
      'already_canceled',
      'already_subscribed',
      'currency_mismatch',
      'invalid_state',
      'not_found',
      'price_changed',
      'sold_out',
      'temporarily_unavailable',
    ],
    async handle(call) {
      const { school, params } = call;
      const id = params.subscription;
      const asked = await commandOf(ports, call);
      const { state } = subscriptionAfter(await command(ports, call, id, (now) => ({ ...asked, now })));
      const ordered = await orderOfChange(ports, call, state, asked.change_id);
      const { state: now, ...found } = await fold(ports.log, subscriptionDecider, school, id);
      const order = ordered && orderDocument(ordered.id, ordered.now.state, 'staff');
      const payment = ordered && paymentDocument(ports, ordered.now.state);
      return { body: { ...subscriptionDocument(id, now ?? state, 'staff'), order, payment }, ...asOf(found) };
    },
  });

/** What is asked and done about other plans. */
export const planChangeOperations = (ports: CommercePorts): readonly Operation[] => [
  quotePlanChange(ports),
  changePlan(ports),
];
