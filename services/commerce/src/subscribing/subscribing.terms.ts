import type { Terms } from '../billing/terms.ts';
import type { Plan } from '../plans/plan.state.ts';

/** The terms that a plan is sold at now. */
export const termsOfPlan = (
  plan_id: string,
  { plan_version, kind, interval, interval_count, amount, currency }: Plan,
): Terms => ({
  plan_id,
  plan_version,
  kind,
  interval: interval === null || interval_count === null ? null : { unit: interval, count: interval_count },
  price: { amount, currency },
});
