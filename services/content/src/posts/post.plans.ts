import {
  type FactOf,
  type Holding,
  type HoldingFact,
  givesAccess,
  holdingAfter,
  holdingFacts,
} from '@lyceum/contracts';
import { type Collection, type Document, type Documents, type Projection, eventGuard, rowAs } from '@lyceum/documents';

/** Plans as far as they open posts, and who has them, as the commerce service publishes it. */
const plans: Collection = {
  name: 'post-plans',
  version: 1,
  fields: { member_id: 'text', live: 'boolean', offered: 'boolean' },
};

type GrantsFact = Extract<FactOf<'commerce'>, { type: 'PlanGrantsChanged' }>;
type ListingFact = Extract<FactOf<'commerce'>, { type: 'PlanShown' | 'PlanHidden' | 'PlanRetired' | 'PlanDeleted' }>;

const isGrantsFact = eventGuard<GrantsFact>('PlanGrantsChanged');
const isListingFact = eventGuard<ListingFact>('PlanShown', 'PlanHidden', 'PlanRetired', 'PlanDeleted');
const isHoldingFact = eventGuard<HoldingFact>(...holdingFacts);

interface PlanRow {
  readonly version: number;
  /** Whether the plan opens posts. */
  readonly opens: boolean;
  /** Those who had the plan before this position keep them; null = nobody does. */
  readonly kept_before: number | null;
  readonly is_shown: boolean;
}

interface HoldingRow {
  readonly version: number;
  readonly holding: Holding;
}

const unknownPlan: Omit<PlanRow, 'version'> = { opens: false, kept_before: null, is_shown: false };

function planAfter(fact: GrantsFact | ListingFact, before: Omit<PlanRow, 'version'>, position: number) {
  if (fact.type !== 'PlanGrantsChanged') return { ...before, is_shown: fact.type === 'PlanShown' };
  const opens = fact.data.grants.posts;
  if (opens || !before.opens) return { ...before, opens };
  return { ...before, opens, kept_before: fact.data.keep_existing ? position : null };
}

/** Keeps what plans open of posts, and who has which plan. */
export const postPlanProjection: Projection = {
  collection: plans,
  key(fact) {
    if (isGrantsFact(fact) || isListingFact(fact)) return fact.data.plan_id;
    return isHoldingFact(fact) ? fact.data.subscription_id : undefined;
  },
  project(fact, before): Document | null {
    const { version, position } = fact;
    if (before && version <= rowAs<{ version: number }>(before).version) return before;
    if (isGrantsFact(fact) || isListingFact(fact)) {
      const plan = planAfter(fact, rowAs<PlanRow>(before) ?? unknownPlan, position);
      return { ...plan, member_id: null, live: false, offered: plan.opens && plan.is_shown, version };
    }
    if (!isHoldingFact(fact)) return before ?? null;
    const holding = holdingAfter(rowAs<HoldingRow>(before)?.holding, fact, position);
    return { member_id: holding.member_id, live: givesAccess(holding), offered: false, version, holding };
  },
  erase: { documents: { field: 'member_id' } },
};

/** What is read to know whom plans open posts to. */
export interface PlanReading {
  readonly documents: Pick<Documents, 'get' | 'query'>;
}

/** Subscriptions of one member that are looked at, and plans that are named. */
const most = 50;

/** The plans that a member has, as far as integration events have arrived. */
export async function holdingsOf({ documents }: PlanReading, school: string, member: string) {
  const where = [{ field: 'member_id', is: member } as const, { field: 'live', is: true } as const];
  const { items } = await documents.query(plans, school, { where, limit: most });
  return items.map(({ body }) => rowAs<HoldingRow & Document>(body).holding);
}

/** Whether a plan opens posts to somebody who has it. */
export async function opensPosts({ documents }: PlanReading, school: string, { plan_id, since }: Holding) {
  const plan = rowAs<PlanRow & Document>(await documents.get(plans, school, plan_id));
  if (!plan) return false;
  return plan.opens || (plan.kept_before !== null && since !== null && since < plan.kept_before);
}

/** The plans that open posts and can be bought. */
export async function plansThatOpenPosts({ documents }: PlanReading, school: string): Promise<readonly string[]> {
  const { items } = await documents.query(plans, school, { where: [{ field: 'offered', is: true }], limit: most });
  return items.map(({ id }) => id);
}
