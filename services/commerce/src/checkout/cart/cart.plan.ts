import { fold } from '@lyceum/eventlog';
import type { Ports } from '@lyceum/web';
import { Problem } from '@lyceum/web';
import { payable, spend } from '../../billing/amounts.ts';
import type { Discount, Terms } from '../../billing/terms.ts';
import type { Coupon } from '../../coupons/coupon.state.ts';
import { isAvailable } from '../../plans/plan.rules.ts';
import { type Plan, planDecider } from '../../plans/plan.ts';
import { liveSubscriptionOf } from '../../subscribing/subscribing.ts';

/** The plan of a cart, as it is subscribed to. */
export interface CartPlan {
  readonly terms: Terms;
  readonly trial_days: number;
  /** The coupon's discount on this payment and later ones. */
  readonly coupon: Discount | null;
  /** Whether later payments follow, which the person agrees to. */
  readonly saves_agreement: boolean;
  /** Whether it has so many subscribers at most. */
  readonly is_limited: boolean;
}

/** A plan that is sold now. */
export interface PlanOnSale {
  readonly title: string;
  readonly terms: Terms;
  readonly trial_days: number;
  readonly is_limited: boolean;
}

/** Who wants which plan, and in which currency the school sells. */
interface Wanted {
  readonly school: string;
  readonly member: string | undefined;
  readonly plan_id: string;
  readonly currency: string;
}

/** What a plan asks for at present. */
export const termsOfPlan = (plan_id: string, plan: Plan): Terms => ({
  plan_id,
  plan_version: plan.plan_version,
  kind: plan.kind,
  interval:
    plan.interval === null || plan.interval_count === null ? null : { unit: plan.interval, count: plan.interval_count },
  price: { amount: plan.amount, currency: plan.currency },
});

const detail = (code: string, message: string) => ({ details: [{ path: 'items.0.item_id', code, message }] });

/** A plan as somebody can subscribe to it now. Throws the problem why they cannot. */
export async function planOnSale(
  { log }: Pick<Ports, 'log'>,
  { school, member, plan_id, currency }: Wanted,
): Promise<PlanOnSale> {
  // Of another kind of id the stream is another kind of thing.
  const { state } = plan_id.startsWith('plan_') ? await fold(log, planDecider, school, plan_id) : { state: null };
  if (state?.status !== 'active')
    throw new Problem(
      'validation_failed',
      'Something of it is not for sale',
      detail('unknown_item', 'must name a membership plan that is sold'),
    );
  if (state.currency !== currency)
    throw new Problem('currency_mismatch', `The school sells in ${currency}, and this plan has its price in another`);
  if (member !== undefined && (await liveSubscriptionOf(log, school, member, plan_id)) !== undefined)
    throw new Problem('already_subscribed', `You have “${state.name}” already`, detail('already_subscribed', 'runs'));
  if (!isAvailable(state)) throw new Problem('sold_out', 'The plan has as many subscribers as it may have');
  const { name: title, trial_days, max_subscribers } = state;
  return { title, terms: termsOfPlan(plan_id, state), trial_days, is_limited: max_subscribers !== null };
}

/** For how many payments of a subscription a coupon is; null = for all. */
function cyclesOf({ duration, duration_cycles }: Coupon): number | null {
  if (duration === 'forever') return null;
  return duration === 'repeating' ? duration_cycles : 1;
}

/** What a coupon takes off the payments of a subscription. */
const discountOf = (coupon_id: string, coupon: Coupon): Discount => ({
  coupon_id,
  kind: coupon.kind,
  value: coupon.value,
  remaining_cycles: cyclesOf(coupon),
});

/** A plan with the coupon that counts for it. In a trial the coupon waits for the first payment. */
export function planInCart(
  { terms, trial_days, is_limited }: PlanOnSale,
  coupon: { readonly coupon_id: string; readonly coupon: Coupon } | null,
): CartPlan {
  const discount = coupon && discountOf(coupon.coupon_id, coupon.coupon);
  const later = trial_days > 0 ? discount : spend(discount);
  const saves_agreement = terms.kind === 'recurring' && payable(terms, later, 0).total > 0;
  return { terms, trial_days, coupon: discount, saves_agreement, is_limited };
}
