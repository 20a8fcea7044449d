import { type Asking, heads, namingOf, resource, viewOfOwn } from '@lyceum/service';
import { type StatusTable, given } from '@lyceum/web';
import { z } from 'zod';
import { knownSchool } from '../schools/known-schools.ts';
import { planKinds, planStatuses } from './plan.fields.ts';
import { changesOf, newPlan, termsIn } from './plan.input.ts';
import { checkGranted } from './plan.items.ts';
import { changePlanBody, createPlanBody, planGrantsBody, planReply, planVersionBody } from './plan.schema.ts';
import { type Plan, type PlanCode, planDecider, planSlug } from './plan.ts';
import { planDocument } from './plan.view.ts';

/** What each rejection means over HTTP; the error table of the contracts says the same. */
export const planRejections = {
  not_found: 404,
  slug_taken: 409,
  not_ready: 409,
  invalid_state: 409,
  has_subscribers: 409,
  price_changed: 409,
  sold_out: 409,
  validation_failed: 422,
} as const satisfies StatusTable<PlanCode>;

const isListed = ({ status, visible }: Plan): boolean => status === 'active' && visible;

/** Membership plans: active ones are everybody's, those that are not listed by their slug; owners and admins change all. */
export const plans = resource({
  noun: 'plan',
  path: '/api/membership_plans',
  area: 'membership_plans',
  decider: planDecider,
  present: (state): Plan | null => state,
  slugs: planSlug,
  statuses: planRejections,
  access: {
    writers: heads,
    refusal: 'Owners and admins change membership plans',
    viewer: (asking): Asking => asking,
    viewOf: (asking) => viewOfOwn(asking, false),
    mayKnow: (asking, plan, ref) =>
      viewOfOwn(asking, false) === 'staff' || isListed(plan) || (plan.status === 'active' && ref === plan.slug),
    rows: (asking) =>
      viewOfOwn(asking, false) === 'staff'
        ? [[]]
        : [
            [
              { field: 'status', is: 'active' },
              { field: 'visible', is: true },
            ],
          ],
  },
  reply: planReply,
  item: planReply,
  document: planDocument,
  list: {
    name: 'membership_plans',
    version: 1,
    fields: { status: 'text', visible: 'boolean', kind: 'text', position: 'number' },
    statuses: planStatuses,
    texts: ({ name, summary }) => [name, summary],
  },
});

/** All operations on membership plans. */
export const planOperations = [
  plans.list({
    id: 'listMembershipPlans',
    summary: 'List membership plans',
    description:
      'Active ones that are listed; for owners and admins all of them. By position. Follows writes with a short delay: see Consistency-Token.',
    filters: { kind: z.enum(planKinds).optional() },
    conditions: ({ kind }) => given(kind, (is) => ({ field: 'kind', is })),
    searches: 'Beginnings of words of name or summary; all of them.',
    sorts: ['position', 'created_at'],
  }),

  plans.create({
    id: 'createMembershipPlan',
    summary: 'Create a membership plan',
    description: 'Creates a draft. Without a slug one is made from the name.',
    body: createPlanBody,
    errors: ['slug_taken', 'temporarily_unavailable'],
    naming: ({ slug, name }) => namingOf(slug, name),
    async command({ school, body, meta }, ports) {
      await checkGranted(body.grants, school, ports);
      const { currency } = await knownSchool(ports, school);
      const made = { type: 'CreatePlan', ...newPlan(body, currency), currency, by: meta.actor } as const;
      return (slug) => ({ ...made, slug });
    },
  }),

  plans.get({
    id: 'getMembershipPlan',
    summary: 'Read a membership plan',
    description:
      'By id or slug, as of now; one that is not listed by its slug only. A former slug answers 308 with the address of the present one.',
  }),

  plans.change({
    id: 'changeMembershipPlan',
    summary: 'Change a membership plan',
    description:
      'A JSON Merge Patch. Once it was sold, its price, kind and interval stay (409 `has_subscribers`): add a version instead.',
    body: changePlanBody,
    errors: ['slug_taken', 'has_subscribers', 'invalid_state', 'temporarily_unavailable'],
    async command({ school, body }, ports) {
      const { currency } = await knownSchool(ports, school);
      return { type: 'ChangePlan', changes: changesOf(body, currency), currency };
    },
  }),

  plans.change({
    id: 'addMembershipPlanVersion',
    method: 'POST',
    below: '/versions',
    summary: 'Sell a membership plan at new terms',
    description: 'From now on it is sold at these. Subscribers keep the terms that they bought it at.',
    body: planVersionBody,
    errors: ['invalid_state', 'temporarily_unavailable'],
    async command({ school, body }, ports) {
      const { currency } = await knownSchool(ports, school);
      return { type: 'AddPlanVersion', terms: termsIn(body, currency), currency };
    },
  }),

  plans.change({
    id: 'setMembershipPlanGrants',
    method: 'PUT',
    below: '/grants',
    summary: 'Set what a membership plan opens',
    description: 'Replaces all of it. Subscribers get what is added, and lose what is removed unless they may keep it.',
    body: planGrantsBody,
    errors: ['not_ready', 'temporarily_unavailable'],
    async command({ school, body: { keep_existing, ...grants } }, ports) {
      await checkGranted(grants, school, ports);
      return { type: 'SetGrants', grants, keep_existing };
    },
  }),

  plans.remove({
    id: 'deleteMembershipPlan',
    summary: 'Delete a membership plan',
    description: 'Only a draft; what was public is retired.',
    errors: ['invalid_state'],
    command: () => ({ type: 'DeletePlan' }),
  }),

  plans.change({
    id: 'publishMembershipPlan',
    method: 'POST',
    below: '/publish',
    summary: 'Publish a membership plan',
    description:
      'It is sold from now on; `details` of `not_ready` name what is missing. Publishing again changes nothing.',
    errors: ['not_ready', 'invalid_state', 'temporarily_unavailable'],
    async command({ school }, ports) {
      const { currency } = await knownSchool(ports, school);
      return { type: 'PublishPlan', currency };
    },
  }),

  plans.change({
    id: 'retireMembershipPlan',
    method: 'POST',
    below: '/retire',
    summary: 'Retire a membership plan',
    description: 'It is sold no more, for good. Those who have it keep it, and it renews for them.',
    errors: ['invalid_state'],
    command: () => ({ type: 'RetirePlan' }),
  }),
];
