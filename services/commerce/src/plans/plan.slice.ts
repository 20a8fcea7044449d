import { type Slice, aggregate, streamsOf } from '@lyceum/service';
import { planEvents } from './plan.events.ts';
import { planFact } from './plan.facts.ts';
import { planOperations, plans } from './plan.http.ts';
import { planDecider } from './plan.ts';

/** What members pay for, again and again or once. */
export const planSlice: Slice = {
  name: 'membership_plans',
  operations: planOperations,
  events: planEvents,
  aggregates: [aggregate(streamsOf('plan_'), planDecider)],
  projections: [plans.projection],
  toFact: planFact,
};
