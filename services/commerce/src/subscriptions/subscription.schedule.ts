import { type Payable, payable } from '../billing/amounts.ts';
import { monthsIn, periodEnd } from '../billing/period.ts';
import type { PlanChange, Subscription } from './subscription.state.ts';
import type { Discount, Terms } from '../billing/terms.ts';

/** The next period of a subscription, and what it costs. Times are RFC 3339 UTC. */
export interface Renewal extends Payable {
  readonly terms: Terms;
  readonly coupon: Discount | null;
  readonly period_start: string;
  /** null = for life. */
  readonly period_end: string | null;
}

/** Something that is to happen at a time: `renewal` is to be paid for; without one it is enough that the time passes. */
export interface Due {
  readonly at: string;
  readonly renewal: Renewal | null;
}

/** The change that comes into effect with the next period. */
export const nextChange = ({ change }: Subscription): PlanChange | null =>
  change?.when === 'period_end' ? change : null;

/** Whether another period follows the present one. A trial is followed by the first that is paid for, whatever the plan. */
function isRenewed(state: Subscription): boolean {
  const { status, cancel, terms } = state;
  if (status === 'past_due') return true;
  if (cancel) return false;
  return status === 'trialing' || (status === 'active' && (terms.kind === 'recurring' || nextChange(state) !== null));
}

/** The next period; null when there is none. */
export function renewalOf(state: Subscription): Renewal | null {
  const start = state.period?.end ?? null;
  if (start === null || !isRenewed(state)) return null;
  const { terms, coupon } = nextChange(state) ?? state;
  const months = state.months + monthsIn(terms);
  return {
    ...payable(terms, coupon, state.balance),
    terms,
    coupon,
    period_start: start,
    period_end: terms.interval ? periodEnd(state.anchor, months, state.timezone) : null,
  };
}

/** Until when the present period runs, without regard to a payment that is due. */
const endOf = ({ period, cancel }: Subscription): string | null => cancel?.ends_at ?? period?.end ?? null;

/** What is due when, the first one first: expiry, withdrawal of a change, end, renewal, tries and the end of grace. */
export function duesOf(state: Subscription): readonly Due[] {
  const passing = (at: string | null): readonly Due[] => (at === null ? [] : [{ at, renewal: null }]);
  switch (state.status) {
    case 'incomplete':
      return passing(state.expires_at);
    case 'trialing':
    case 'active': {
      const renewal = renewalOf(state);
      const isFree = renewal?.total === 0;
      const end = endOf(state);
      const next = renewal && !isFree ? [{ at: renewal.period_start, renewal }] : passing(end);
      return [...passing(state.change?.until ?? null), ...next];
    }
    case 'past_due': {
      const { next_attempt_at = null, grace_until = null } = state.dunning ?? {};
      const tries = passing(next_attempt_at).map(({ at }) => ({ at, renewal: renewalOf(state) }));
      return [...tries, ...passing(grace_until)];
    }
    default:
      return [];
  }
}
