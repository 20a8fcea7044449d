import {
  type FactOf,
  type Holding,
  type HoldingFact,
  givesAccess,
  holdingAfter,
  holdingFacts,
} from '@lyceum/contracts';
import { type Collection, type Document, type Documents, type Projection, eventGuard, rowAs } from '@lyceum/documents';
import { type PlanOpenings, nothingOpened, openingsAfter } from './plan-openings.ts';

/**
 * Plans and subscriptions, as the commerce service publishes them. They share a collection, because they follow each other
 * in one order: where a subscription is found, its plan is at least as it was when the subscription began.
 */
const planAccess: Collection = {
  name: 'plan-access',
  version: 1,
  fields: { kind: 'text', plan_id: 'text', member_id: 'text', live: 'boolean' },
};

type GrantsFact = Extract<FactOf<'commerce'>, { readonly type: 'PlanGrantsChanged' }>;

/** Whether an integration event sets what a plan opens. */
export const isGrantsFact = eventGuard<GrantsFact>('PlanGrantsChanged');

/** Whether an integration event begins or ends access by a subscription. */
export const isSubscriptionFact = eventGuard<HoldingFact>(...holdingFacts);

/** What is known of something, with the version of its stream up to which integration events have arrived. */
interface Versioned {
  readonly version: number;
}

interface PlanRow extends Versioned {
  readonly kind: 'plan';
  readonly openings: PlanOpenings;
}

interface HoldingRow extends Versioned {
  readonly kind: 'subscription';
  readonly holding: Holding;
}

/** The plans and the subscriptions of a school, from the integration events of the commerce service. */
export const planAccessProjection: Projection = {
  collection: planAccess,
  key(fact) {
    if (isGrantsFact(fact)) return fact.data.plan_id;
    return isSubscriptionFact(fact) ? fact.data.subscription_id : undefined;
  },
  project(fact, before): Document | null {
    const { version, position } = fact;
    if (before && version <= rowAs<Versioned>(before).version) return before;
    if (isGrantsFact(fact)) {
      const openings = openingsAfter(rowAs<PlanRow>(before)?.openings ?? nothingOpened, fact.data, position);
      return { kind: 'plan', plan_id: null, member_id: null, live: false, version, openings };
    }
    if (!isSubscriptionFact(fact)) return before ?? null;
    const holding = holdingAfter(rowAs<HoldingRow>(before)?.holding, fact, position);
    const { plan_id, member_id } = holding;
    return { kind: 'subscription', plan_id, member_id, live: givesAccess(holding), version, holding };
  },
  erase: { documents: { field: 'member_id' } },
};

type Reading = { readonly documents: Pick<Documents, 'get'> };
type Listing = { readonly documents: Pick<Documents, 'query'> };

/** What is known of a plan, as far as integration events have arrived; undefined = nothing. */
export async function knownPlan(
  { documents }: Reading,
  school: string,
  plan: string,
): Promise<(Versioned & { readonly openings: PlanOpenings }) | undefined> {
  return rowAs<PlanRow>(await documents.get(planAccess, school, plan));
}

/** What is known of a subscription, as far as integration events have arrived; undefined = nothing. */
export async function knownHolding(
  { documents }: Reading,
  school: string,
  subscription: string,
): Promise<(Versioned & { readonly holding: Holding }) | undefined> {
  return rowAs<HoldingRow>(await documents.get(planAccess, school, subscription));
}

const page = 200;

/** The plans of a school by id. */
export async function* plansOf(
  { documents }: Listing,
  school: string,
): AsyncGenerator<{ readonly plan_id: string; readonly openings: PlanOpenings }> {
  for (let after: string | undefined, more = true; more;) {
    const found = await documents.query(planAccess, school, {
      where: [{ field: 'kind', is: 'plan' }],
      limit: page,
      ...(after === undefined ? {} : { after: { value: null, id: after } }),
    });
    for (const { id, body } of found.items) yield { plan_id: id, openings: rowAs<PlanRow & Document>(body).openings };
    more = found.more;
    after = found.items.at(-1)?.id;
  }
}

/** Ids of subscriptions to a plan that give access now, so many at most, behind one of them. */
export async function holdersOf(
  { documents }: Listing,
  school: string,
  plan: string,
  { limit, after }: { readonly limit: number; readonly after: string | undefined },
): Promise<{ readonly ids: readonly string[]; readonly more: boolean }> {
  const { items, more } = await documents.query(planAccess, school, {
    where: [
      { field: 'plan_id', is: plan },
      { field: 'live', is: true },
    ],
    limit,
    ...(after === undefined ? {} : { after: { value: null, id: after } }),
  });
  return { ids: items.map(({ id }) => id), more };
}
