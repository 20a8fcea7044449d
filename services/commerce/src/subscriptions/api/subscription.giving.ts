import { fold } from '@lyceum/eventlog';
import { heads } from '@lyceum/service';
import { type Operation, Problem, operation } from '@lyceum/web';
import type { Terms } from '../../billing/terms.ts';
import { refuseStrangers } from '../../members/standing.ts';
import { planDecider } from '../../plans/plan.ts';
import type { CommercePorts } from '../../ports/commerce-ports.ts';
import { knownSchool } from '../../schools/known-schools.ts';
import { termsOfPlan } from '../../subscribing/subscribing.terms.ts';
import { giveBody, subscriptionReply } from './subscription.schema.ts';
import { answerTo, command, subscriptionAfter } from './subscription.writing.ts';

/** The terms that a plan is sold at now. Throws 422 where there is no such plan. */
export async function termsNow({ log }: Pick<CommercePorts, 'log'>, school: string, plan_id: string): Promise<Terms> {
  const { state } = await fold(log, planDecider, school, plan_id);
  if (state) return termsOfPlan(plan_id, state);
  throw new Problem('validation_failed', 'There is no such membership plan', {
    details: [{ path: 'plan_id', code: 'unknown_plan', message: 'must name a membership plan' }],
  });
}

/** Gives a member a plan, by the staff, at no price. */
export const giveSubscription = (ports: CommercePorts): Operation =>
  operation({
    id: 'giveSubscription',
    method: 'POST',
    path: '/api/subscriptions',
    area: 'subscriptions',
    scope: 'subscriptions:write',
    anonymous: false,
    roles: heads,
    summary: 'Give a membership plan to a member',
    description:
      'A complimentary subscription: it costs nothing, renews for nothing, and counts among the subscribers of the plan. What costs something is bought at the checkout. A member has one live subscription to a plan.',
    body: giveBody,
    status: 201,
    reply: subscriptionReply,
    errors: [
      'already_subscribed',
      'erased',
      'invalid_state',
      'not_found',
      'price_changed',
      'sold_out',
      'temporarily_unavailable',
    ],
    async handle(call) {
      const { school } = call;
      const { member_id, plan_id } = call.body;
      await refuseStrangers(ports, school, member_id);
      if ((await ports.vault.keyStatus(school, member_id)) === 'erased') throw new Problem('erased');
      const terms = await termsNow(ports, school, plan_id);
      const { timezone } = await knownSchool(ports, school);
      const given = { type: 'GiveSubscription', member_id, terms, timezone } as const;
      const outcome = await command(ports, call, ports.ids.next('subscription'), (now) => ({ ...given, now }));
      const { stream } = subscriptionAfter(outcome);
      return { ...answerTo(outcome, 'staff'), headers: { Location: `/api/subscriptions/${stream}` } };
    },
  });
