import { instant } from '@lyceum/contracts';
import { fold } from '@lyceum/eventlog';
import { heads } from '@lyceum/service';
import {
  Problem,
  asOf,
  expandOf,
  fieldsOf,
  filterConditions,
  given,
  listFilters,
  listOf,
  listReply,
  operation,
} from '@lyceum/web';
import { z } from 'zod';
import { subscriptionDecider } from '../subscription.ts';
import { planExpansion, withPlans } from './subscription.plans.ts';
import { subscriptionOfRow, subscriptions } from './subscription.rows.ts';
import { planId, subscriptionParams, subscriptionReply, subscriptionStatuses } from './subscription.schema.ts';
import { subscriptionDocument } from './subscription.view.ts';

const reading = {
  area: 'subscriptions',
  scope: 'subscriptions:read',
  anonymous: true,
  roles: heads,
  method: 'GET',
  status: 200,
  expands: planExpansion,
} as const;

const sorts = ['created_at', '-created_at', 'renews_at', '-renews_at'] as const;

/** Lists the subscriptions of a school for those who run it. */
export const listSubscriptions = operation({
  ...reading,
  id: 'listSubscriptions',
  path: '/api/subscriptions',
  summary: 'List subscriptions',
  description:
    'For owners and admins, newest first; without a token the list is empty. The list follows writes with a short delay: see Consistency-Token.',
  readModel: subscriptions,
  query: z.strictObject({
    ...listFilters,
    status: z.enum(subscriptionStatuses).optional(),
    plan_id: planId.optional(),
    member_id: z.string().min(1).max(64).optional(),
    renews_before: instant().optional().meta({ description: 'The next period begins, and is paid for, before this.' }),
    sort: z.enum(sorts).default('-created_at'),
    ...fieldsOf(subscriptionReply),
    ...expandOf(planExpansion),
  }),
  reply: listOf(subscriptionReply),
  async handle(call, { documents }) {
    const { status, plan_id, member_id, renews_before, sort: order } = call.query;
    const sort = { field: order.replace(/^-/, ''), descending: order.startsWith('-') };
    if (!call.principal) return listReply({ items: [], more: false }, () => undefined, sort);
    const where = [
      ...given(status, (is) => ({ field: 'status', is })),
      ...given(plan_id, (is) => ({ field: 'plan_id', is })),
      ...given(member_id, (is) => ({ field: 'member_id', is })),
      ...given(renews_before, (below) => ({ field: 'renews_at', below })),
      ...filterConditions(call.query),
    ];
    const page = await documents.query(subscriptions, call.school, { where, sort, ...call.page });
    const shown = page.items.map(({ id, body }) => subscriptionDocument(id, subscriptionOfRow(body), call.view));
    const whole = await withPlans({ documents }, call, shown);
    return listReply(page, (_row, index) => whole[index], sort);
  },
});

/** Reads one subscription. */
export const getSubscription = operation({
  ...reading,
  id: 'getSubscription',
  path: '/api/subscriptions/{subscription}',
  summary: 'Read a subscription',
  description: 'As of now.',
  params: subscriptionParams,
  query: z.strictObject({ ...fieldsOf(subscriptionReply), ...expandOf(planExpansion) }),
  reply: subscriptionReply,
  async handle(call, { log, documents }) {
    const id = call.params.subscription;
    if (!call.principal) throw new Problem('not_found');
    const { state, ...found } = await fold(log, subscriptionDecider, call.school, id);
    if (!state) throw new Problem('not_found');
    const [body] = await withPlans({ documents }, call, [subscriptionDocument(id, state, call.view)]);
    return { body, ...asOf(found) };
  },
});
