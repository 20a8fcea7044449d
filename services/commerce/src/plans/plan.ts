import { type Decider, type Rejection, differences, reject, same } from '@lyceum/kernel';
import { type PlanEvent, type StoredGrants, type StoredPlan, type StoredTerms, planEvents } from './plan.events.ts';
import { differenceOf, faultsOf, isAvailable, unmet } from './plan.rules.ts';
import { type Plan, type PlanState, apply, evolve } from './plan.state.ts';

export type { Plan } from './plan.state.ts';

/** What should be different. A list replaces the whole list. */
export interface PlanChanges extends Partial<StoredPlan>, Partial<StoredTerms> {
  readonly slug?: string;
}

/** What can be asked of a plan. `currency` is the school's. */
export type PlanCommand =
  | {
      readonly type: 'CreatePlan';
      readonly slug: string;
      readonly fields: StoredPlan;
      readonly terms: StoredTerms;
      readonly grants: StoredGrants;
      readonly currency: string;
      readonly by: string;
    }
  | { readonly type: 'ChangePlan'; readonly changes: PlanChanges; readonly currency: string }
  | { readonly type: 'AddPlanVersion'; readonly terms: Partial<StoredTerms>; readonly currency: string }
  | { readonly type: 'SetGrants'; readonly grants: StoredGrants; readonly keep_existing: boolean }
  | { readonly type: 'PublishPlan'; readonly currency: string }
  | { readonly type: 'RetirePlan' | 'DeletePlan' }
  /** A subscription begins, at the terms of this version; `SubscriberLeaves`: it has ended. */
  | { readonly type: 'SubscriberJoins'; readonly subscription_id: string; readonly plan_version: number }
  | { readonly type: 'SubscriberLeaves'; readonly subscription_id: string };

type Command<T extends PlanCommand['type']> = Extract<PlanCommand, { type: T }>;

/** What a command can be rejected for. */
export type PlanCode =
  | 'not_found'
  | 'slug_taken'
  | 'not_ready'
  | 'invalid_state'
  | 'validation_failed'
  | 'has_subscribers'
  | 'price_changed'
  | 'sold_out';

type Decision = readonly PlanEvent[] | Rejection<PlanCode>;

function decide(command: PlanCommand, state: PlanState): Decision {
  if (command.type === 'CreatePlan') return create(command, state);
  if (!state) return reject('not_found', 'There is no such plan');
  const decision = decideOn(command, state);
  return 'rejected' in decision ? decision : [...decision, ...shownAfter(state, decision)];
}

function decideOn(command: Exclude<PlanCommand, Command<'CreatePlan'>>, state: Plan): Decision {
  switch (command.type) {
    case 'ChangePlan':
      return change(command, state);
    case 'AddPlanVersion':
      return addVersion(command, state);
    case 'SetGrants':
      return setGrants(command, state);
    case 'PublishPlan':
      return publish(command, state);
    case 'RetirePlan':
      if (state.status === 'draft') return reject('invalid_state', 'A draft was never sold: delete it instead');
      return state.status === 'retired' ? [] : [{ type: 'PlanRetired', data: {} }];
    case 'DeletePlan':
      if (state.status === 'draft') return [{ type: 'PlanDeleted', data: {} }];
      return reject('invalid_state', 'A plan that was public is retired, not deleted');
    case 'SubscriberJoins':
      return join(command, state);
    case 'SubscriberLeaves':
      return [{ type: 'PlanSubscriberRemoved', data: { subscription_id: command.subscription_id } }];
  }
}

function create(command: Command<'CreatePlan'>, state: PlanState): Decision {
  if (state) return reject('invalid_state', 'The plan exists already');
  const { slug, fields, terms, grants, currency, by: created_by } = command;
  const faults = faultsOf({ ...terms, trial_days: fields.trial_days }, currency);
  if (faults.length > 0) return reject('validation_failed', 'The plan is not acceptable', faults);
  const created: PlanEvent = { type: 'PlanCreated', data: { slug, fields, terms, created_by } };
  const opened = grantsEvents(apply(null, created)!, grants, false);
  return [created, ...opened];
}

const termNames = ['kind', 'interval', 'interval_count', 'amount', 'currency'] as const;

/** The terms among changes, and the other ones. */
function termsIn({ kind, interval, interval_count, amount, currency, ...fields }: Omit<PlanChanges, 'slug'>) {
  const terms = Object.fromEntries(
    Object.entries({ kind, interval, interval_count, amount, currency }).filter(([, value]) => value !== undefined),
  ) as Partial<StoredTerms>;
  return { terms, fields };
}

const termsOf = ({ kind, interval, interval_count, amount, currency }: Plan): StoredTerms => ({
  kind,
  interval,
  interval_count,
  amount,
  currency,
});

function change({ changes, currency }: Command<'ChangePlan'>, before: Plan): Decision {
  const { slug = before.slug, ...wanted } = changes;
  const { terms, fields: stated } = termsIn(wanted);
  const fields = differences<Partial<StoredPlan>>(before, stated);
  const others = differences<Partial<StoredTerms>>(before, terms);
  // What was said of a price before the school changed its currency is nobody's fault now.
  const faults = faultsOf({ ...before, ...fields, ...others }, others ? currency : before.currency);
  if (faults.length > 0) return reject('validation_failed', 'The plan is not acceptable', faults);
  if (others && before.status === 'retired') return reject('invalid_state', 'A retired plan is sold no more');
  if (others && before.sold_version === before.plan_version)
    return reject(
      'has_subscribers',
      'Somebody has bought the plan at these terms: add a new version of it',
      termNames.filter((name) => name in others).map((path) => ({ path, code: 'frozen' })),
    );
  const events: PlanEvent[] = [];
  if (fields) events.push({ type: 'PlanChanged', data: { fields } });
  if (slug !== before.slug) events.push({ type: 'PlanSlugChanged', data: { slug } });
  if (others) events.push(termsSet(before.plan_version, { ...termsOf(before), ...others }));
  return events;
}

const termsSet = (plan_version: number, terms: StoredTerms): PlanEvent => ({
  type: 'PlanTermsSet',
  data: { plan_version, terms },
});

function addVersion({ terms, currency }: Command<'AddPlanVersion'>, before: Plan): Decision {
  if (before.status === 'retired') return reject('invalid_state', 'A retired plan is sold no more');
  const after = { ...termsOf(before), ...terms };
  const faults = faultsOf({ ...after, trial_days: before.trial_days }, currency);
  if (faults.length > 0) return reject('validation_failed', 'The terms are not acceptable', faults);
  return same(after, termsOf(before)) ? [] : [termsSet(before.plan_version + 1, after)];
}

const setGrants = ({ grants, keep_existing }: Command<'SetGrants'>, before: Plan): Decision =>
  before.status === 'draft' || unmet({ ...before, grants }, before.currency).length === 0
    ? grantsEvents(before, grants, keep_existing)
    : reject('not_ready', 'A plan that is sold has to open something');

function grantsEvents(before: Plan, grants: StoredGrants, keep_existing: boolean): readonly PlanEvent[] {
  if (same(grants, before.grants)) return [];
  const { added, removed } = differenceOf(before.grants, grants);
  const { plan_version } = before;
  return [{ type: 'PlanGrantsChanged', data: { plan_version, grants, added, removed, keep_existing } }];
}

function publish({ currency }: Command<'PublishPlan'>, plan: Plan): Decision {
  if (plan.status === 'active') return [];
  if (plan.status === 'retired') return reject('invalid_state', 'A retired plan is sold no more');
  const missing = unmet(plan, currency);
  return missing.length > 0
    ? reject('not_ready', 'The plan is not complete', missing)
    : [{ type: 'PlanActivated', data: {} }];
}

function join({ subscription_id, plan_version }: Command<'SubscriberJoins'>, plan: Plan): Decision {
  if (plan.status !== 'active') return reject('invalid_state', 'The plan is not sold');
  if (plan_version !== plan.plan_version) return reject('price_changed', 'The plan has other terms by now');
  if (!isAvailable(plan)) return reject('sold_out', 'The plan has as many subscribers as it may have');
  return [{ type: 'PlanSubscriberAdded', data: { subscription_id, plan_version } }];
}

/** What everybody may know of a plan; undefined where it is not listed. */
function shown(plan: PlanState): PlanEvent | undefined {
  if (plan?.status !== 'active' || !plan.visible) return undefined;
  const { slug, name, summary, benefits, position, trial_days, plan_version } = plan;
  const about = { slug, name, summary, benefits, position, trial_days, plan_version };
  return { type: 'PlanShown', data: { ...about, ...termsOf(plan), available: isAvailable(plan) } };
}

/** What everybody learns by a decision. */
function shownAfter(before: Plan, events: readonly PlanEvent[]): readonly PlanEvent[] {
  const [was, is] = [shown(before), shown(events.reduce<PlanState>(apply, before))];
  if (is) return same(was, is) ? [] : [is];
  return was ? [{ type: 'PlanHidden', data: {} }] : [];
}

/** The kind of the claims that keep slugs of plans unique in a school. */
export const planSlug = 'plan_slug';

/** A membership plan: the stream is its id. */
export const planDecider: Decider<PlanState, PlanCommand, PlanEvent, PlanCode> = {
  events: planEvents,
  initial: null,
  snapshot: { version: 1 },
  decide,
  evolve,
  claims: (event) =>
    event.type === 'PlanCreated' || event.type === 'PlanSlugChanged'
      ? [{ kind: planSlug, value: event.data.slug, rejected: 'slug_taken' }]
      : [],
  releases: (event, before) =>
    event.type === 'PlanDeleted' ? (before?.slugs ?? []).map((value) => ({ kind: planSlug, value })) : [],
};
