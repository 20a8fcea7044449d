import { fold } from '@lyceum/eventlog';
import {
  type Call,
  type Operation,
  Problem,
  asOf,
  fieldsOf,
  filterConditions,
  given,
  listFilters,
  listOf,
  listReply,
  operation,
  orderOf,
} from '@lyceum/web';
import { z } from 'zod';
import type { CommercePorts } from '../../ports/commerce-ports.ts';
import { subscriptionDecider } from '../subscription.ts';
import { subscriptionOfRow, subscriptions } from './subscription.rows.ts';
import { ownCancelBody, ownSubscription, subscriptionParams, subscriptionStatuses } from './subscription.schema.ts';
import { subscriptionDocument } from './subscription.view.ts';
import { answerTo, command } from './subscription.writing.ts';

const path = '/api/account/subscriptions';

/** Nobody sees more of their own subscriptions for being staff. */
const own = { area: 'account', anonymous: false, staff: [], status: 200 } as const;

const reading = { ...own, scope: 'account:read', method: 'GET' } as const;

const changing = {
  ...own,
  scope: 'account:write',
  method: 'POST',
  params: subscriptionParams,
  ifMatch: 'accepted',
  reply: ownSubscription,
  errors: ['already_canceled', 'invalid_state', 'not_found'],
} as const;

/** Who calls. */
function callerOf({ principal }: Pick<Call, 'principal'>): string {
  if (!principal) throw new Problem('access_denied');
  return principal.subject;
}

/** The subscription that a path names, as of now, when it is the caller's. Throws 404 otherwise. */
async function ownOne(
  { log }: Pick<CommercePorts, 'log'>,
  call: Pick<Call, 'school' | 'principal'> & { readonly params: { readonly subscription: string } },
) {
  const { state, ...found } = await fold(log, subscriptionDecider, call.school, call.params.subscription);
  if (!state || state.member_id !== callerOf(call)) throw new Problem('not_found', 'You have no such subscription');
  return { ...found, state };
}

const listOwnSubscriptions = operation({
  ...reading,
  id: 'listOwnSubscriptions',
  path,
  summary: 'List your subscriptions',
  description:
    'Your membership plans, those that are over, too, newest first. The list follows writes with a short delay: see Consistency-Token.',
  readModel: subscriptions,
  query: z.strictObject({
    ...listFilters,
    status: z.enum(subscriptionStatuses).optional(),
    ...fieldsOf(ownSubscription),
  }),
  reply: listOf(ownSubscription),
  async handle(call, { documents }) {
    const sort = orderOf(call.query);
    const where = [
      { field: 'member_id', is: callerOf(call) },
      ...given(call.query.status, (is) => ({ field: 'status', is })),
      ...filterConditions(call.query),
    ];
    const page = await documents.query(subscriptions, call.school, { where, sort, ...call.page });
    return listReply(page, ({ id, body }) => subscriptionDocument(id, subscriptionOfRow(body), 'member'), sort);
  },
});

const getOwnSubscription = operation({
  ...reading,
  id: 'getOwnSubscription',
  path: `${path}/{subscription}`,
  summary: 'Read your subscription',
  description: 'As of now.',
  params: subscriptionParams,
  reply: ownSubscription,
  async handle(call, { log }) {
    const { state, ...found } = await ownOne({ log }, call);
    return { body: subscriptionDocument(call.params.subscription, state, 'member'), ...asOf(found) };
  },
});

const cancelOwnSubscription = (ports: CommercePorts): Operation =>
  operation({
    ...changing,
    id: 'cancelOwnSubscription',
    path: `${path}/{subscription}/cancel`,
    summary: 'Cancel your subscription',
    description:
      'It ends with the period that is paid, and can be resumed until then. Where a payment is due, or it is paused, it ends at once.',
    body: ownCancelBody,
    async handle(call) {
      await ownOne(ports, call);
      const cancel = { type: 'CancelSubscription', at: 'period_end', reason: call.body.reason, by: 'member' } as const;
      return answerTo(await command(ports, call, call.params.subscription, (now) => ({ ...cancel, now })), 'member');
    },
  });

const resumeOwnSubscription = (ports: CommercePorts): Operation =>
  operation({
    ...changing,
    id: 'resumeOwnSubscription',
    path: `${path}/{subscription}/resume`,
    summary: 'Resume your subscription',
    description:
      'It goes on after all, where you canceled it and the period is not over. What the school ended stays so.',
    async handle(call) {
      await ownOne(ports, call);
      const resume = { type: 'ResumeSubscription', by: 'member' } as const;
      return answerTo(await command(ports, call, call.params.subscription, (now) => ({ ...resume, now })), 'member');
    },
  });

/** What members do about their own subscriptions. */
export const ownSubscriptionOperations = (ports: CommercePorts): readonly Operation[] => [
  listOwnSubscriptions,
  getOwnSubscription,
  cancelOwnSubscription(ports),
  resumeOwnSubscription(ports),
];
