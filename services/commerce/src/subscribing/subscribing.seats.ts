import { type Rejection, type SideEvent, isRejection } from '@lyceum/kernel';
import type { Terms } from '../billing/terms.ts';
import { planEvents } from '../plans/plan.events.ts';
import type { PlanState } from '../plans/plan.state.ts';
import { type PlanCode, planDecider } from '../plans/plan.ts';
import type { SubscriptionEvent } from '../subscriptions/subscription.events.ts';
import { evolve } from '../subscriptions/subscription.folding.ts';
import type { Subscription, SubscriptionState } from '../subscriptions/subscription.state.ts';

/** A subscription joins the subscribers of a plan, at the terms of this version, or leaves them. */
export interface SeatChange {
  readonly plan_id: string;
  readonly plan_version: number;
  readonly joins: boolean;
}

const change = ({ plan_id, plan_version }: Terms, joins: boolean): SeatChange => ({ plan_id, plan_version, joins });

/** The plan that a change waits for, where it is another one: it counts from when the change was asked for. */
const awaited = ({ terms, change: waiting }: Subscription): readonly SeatChange[] =>
  waiting && waiting.terms.plan_id !== terms.plan_id ? [change(waiting.terms, false)] : [];

/** What an event of a subscription that there is changes. */
function changesAfter({ type, data }: SubscriptionEvent, before: Subscription): readonly SeatChange[] {
  switch (type) {
    case 'SubscriptionExpired':
      return [change(before.terms, false)];
    case 'SubscriptionLapsed':
    case 'SubscriptionCanceled':
      return [change(before.terms, false), ...awaited(before)];
    case 'SubscriptionPlanChangeRequested': {
      const isSamePlan = before.terms.plan_id === data.terms.plan_id;
      return [...(isSamePlan ? [change(before.terms, false)] : []), change(data.terms, true)];
    }
    case 'SubscriptionPlanChangeWithdrawn':
      return awaited(before);
    case 'SubscriptionPlanChanged': {
      if (before.change?.change_id !== data.change_id) return [change(before.terms, false), change(data.terms, true)];
      return before.terms.plan_id === data.terms.plan_id ? [] : [change(before.terms, false)];
    }
    default:
      return [];
  }
}

/**
 * How the subscribers of plans change with the events of a subscription, in order. It counts from when it was placed, so
 * that what is paid is never one too many, until it is over; a change of the plan from when it was asked for.
 */
export function seatChanges(
  before: SubscriptionState,
  events: readonly SubscriptionEvent[],
  at: string,
): readonly SeatChange[] {
  const changes: SeatChange[] = [];
  let state = before;
  for (const event of events) {
    if (state) changes.push(...changesAfter(event, state));
    else if (event.type === 'SubscriptionPlaced' || event.type === 'SubscriptionStarted')
      changes.push(change(event.data.terms, true));
    state = evolve(state, event, { at, version: 0 });
  }
  return changes;
}

/** The events that changes leave in the streams of the plans, which are given as they are now, or the first rejection. */
export function eventsOfSeats(
  subscription_id: string,
  changes: readonly SeatChange[],
  plans: ReadonlyMap<string, PlanState>,
  at: string,
): readonly SideEvent[] | Rejection<PlanCode> {
  const states = new Map(plans);
  const events: SideEvent[] = [];
  for (const { plan_id: stream, plan_version, joins } of changes) {
    let state = states.get(stream) ?? null;
    const decision = planDecider.decide(
      joins
        ? { type: 'SubscriberJoins', subscription_id, plan_version }
        : { type: 'SubscriberLeaves', subscription_id },
      state,
    );
    if (isRejection(decision)) return decision;
    for (const event of decision) {
      events.push({ ...event, stream, schema: planEvents[event.type].version });
      state = planDecider.evolve(state, event, { at, version: 0 });
    }
    states.set(stream, state);
  }
  return events;
}
