import { isRejection } from '@lyceum/kernel';
import type { Tax } from '../../money/tax.ts';
import { totalsOf } from '../../money/totals.ts';
import type { SubscriptionEvent } from '../subscription.events.ts';
import { evolve } from '../subscription.folding.ts';
import { renewalOf } from '../subscription.schedule.ts';
import type { Subscription } from '../subscription.state.ts';
import { type SubscriptionCommand, subscriptionDecider } from '../subscription.ts';

/** That somebody asks for another plan. */
export type AskedChange = Extract<SubscriptionCommand, { type: 'ChangePlan' }>;

/** What a change comes to. Amounts are minor units, times RFC 3339 UTC. */
interface Outcome {
  readonly credit: number;
  /** To be paid at once, before tax. */
  readonly charge: number;
  readonly balance: number;
  /** null = once it is paid. */
  readonly effective_at: string | null;
  readonly period_end: string | null;
}

/** The end of the period that begins once the change is paid. */
function endOnceItIsPaid(after: Subscription | null, { change_id, now }: AskedChange, total: number): string | null {
  const paid = subscriptionDecider.decide({ type: 'CompletePlanChange', change_id, order_id: '', total, now }, after);
  if (isRejection(paid)) return null;
  return (
    paid.reduce<Subscription | null>((state, event) => evolve(state, event, { at: now, version: 0 }), after)?.period
      ?.end ?? null
  );
}

/** What the events of a change come to; nothing but the present period where there are none, as the plan is that already. */
export function outcomeOf(before: Subscription, events: readonly SubscriptionEvent[], asked: AskedChange): Outcome {
  const { now } = asked;
  const after = events.reduce<Subscription | null>(
    (state, event) => evolve(state, event, { at: now, version: 0 }),
    before,
  );
  const last = events.at(-1);
  if (last?.type === 'SubscriptionPlanChanged') {
    const { credit, charge, balance, period_end } = last.data;
    return { credit, charge, balance, effective_at: now, period_end };
  }
  if (last?.type !== 'SubscriptionPlanChangeRequested')
    return { credit: 0, charge: 0, balance: before.balance, effective_at: now, period_end: before.period?.end ?? null };
  const { credit, charge, balance, when } = last.data;
  if (when === 'now')
    return { credit, charge, balance, effective_at: null, period_end: endOnceItIsPaid(after, asked, charge) };
  const next = after && renewalOf(after);
  return { credit, charge, balance, effective_at: next?.period_start ?? null, period_end: next?.period_end ?? null };
}

/** What a change comes to, as the answer says it. */
export function quoteDocument(
  asked: AskedChange,
  { credit, charge, balance, effective_at, period_end }: Outcome,
  tax: Tax,
) {
  const { plan_id, plan_version, price } = asked.terms;
  const money = (amount: number) => ({ amount, currency: price.currency });
  const off = { kind: 'amount', value: price.amount - charge, applies: [true] } as const;
  const { total } = totalsOf([{ quantity: 1, unit_price: price.amount }], off, tax);
  return {
    object: 'plan_change_quote',
    plan_id,
    plan_version,
    when: asked.when,
    price,
    credit: money(credit),
    charge: money(charge),
    total: money(total),
    balance: money(balance),
    effective_at,
    current_period_end: period_end,
  };
}
