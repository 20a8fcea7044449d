import type { z } from 'zod';
import { stated } from '../input/stated.ts';
import type { StoredPlan, StoredTerms } from './plan.events.ts';
import type { changePlanBody, createPlanBody, planVersionBody } from './plan.schema.ts';
import { noGrants } from './plan.state.ts';
import type { PlanChanges } from './plan.ts';

const blank = {
  summary: null,
  description: null,
  benefits: [],
  position: 0,
  trial_days: 0,
  visible: true,
  max_subscribers: null,
} satisfies Partial<StoredPlan>;

/** The terms that a body states. A plan that is to be for life has no interval any more. */
export function termsIn(
  { kind, interval, interval_count, price }: z.output<typeof planVersionBody>,
  schools: string,
): Partial<StoredTerms> {
  const forLife = kind === 'lifetime' ? { interval: interval ?? null, interval_count: interval_count ?? null } : {};
  const priced = price && { amount: price.amount, currency: price.currency ?? schools };
  return stated<StoredTerms>({ kind, interval, interval_count, ...forLife, ...priced });
}

/** A new plan from what the client said; the rest is blank. */
export function newPlan(body: z.output<typeof createPlanBody>, currency: string) {
  const { slug: _named, kind = 'recurring', price, interval, interval_count, grants = noGrants, ...rest } = body;
  const isForLife = kind === 'lifetime';
  const monthly = { interval: isForLife ? null : 'month', interval_count: isForLife ? null : 1 } as const;
  const terms = termsIn({ price, interval, interval_count }, currency);
  return {
    fields: { ...blank, ...stated<StoredPlan>(rest), name: body.name },
    terms: { kind, currency, amount: price.amount, ...monthly, ...terms },
    grants,
  };
}

/** The changes that a merge patch asks for. */
export function changesOf(body: z.output<typeof changePlanBody>, currency: string): PlanChanges {
  const { kind, price, interval, interval_count, ...rest } = body;
  const terms = termsIn({ kind, price, interval, interval_count }, currency);
  return { ...stated<StoredPlan & { slug: string }>(rest), ...terms };
}
