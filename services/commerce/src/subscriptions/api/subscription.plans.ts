import { type Call, type Expansions, type Ports, expandedIn } from '@lyceum/web';
import { plans } from '../../plans/plan.http.ts';
import { planReply } from '../../plans/plan.schema.ts';
import { planDocument } from '../../plans/plan.view.ts';

/** What can be shown whole in a subscription: its plan as it is now, whatever it was bought at. */
export const planExpansion = {
  plan: { scope: 'membership_plans:read', reply: planReply },
} as const satisfies Expansions;

/** Subscriptions with their plans, for the staff, where the query asks for them. */
export async function withPlans<Shown extends { readonly plan_id: string }>(
  { documents }: Pick<Ports, 'documents'>,
  {
    school,
    query: { expand },
  }: Pick<Call, 'school'> & { readonly query: { readonly expand?: readonly string[] | undefined } },
  shown: readonly Shown[],
): Promise<readonly Shown[]> {
  const ids = [...new Set(shown.map(({ plan_id }) => plan_id))];
  if (ids.length === 0 || expandedIn(expand, 'plan') === undefined) return shown;
  const where = [{ field: 'id', in: ids }];
  const { items } = await documents.query(plans.collection, school, { where, limit: ids.length });
  const found = new Map(items.map(({ id, body }) => [id, planDocument(plans.thingOf(body), 'staff', id)]));
  return shown.map((each) => ({ ...each, plan: found.get(each.plan_id) }));
}
