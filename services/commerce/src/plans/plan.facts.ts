import type { FactOf } from '@lyceum/contracts';
import { type RecordedEvent, upcast } from '@lyceum/kernel';
import { planEvents } from './plan.events.ts';

/** What other services hear of a plan: what it is while it is listed, that it is not any more, and what it opens, drafts too. */
export function planFact(recorded: RecordedEvent): FactOf<'commerce'> | undefined {
  if (!recorded.stream.startsWith('plan_')) return undefined;
  const event = upcast(planEvents, recorded);
  const plan_id = recorded.stream;
  switch (event.type) {
    case 'PlanShown':
      return { type: 'PlanShown', data: { plan_id, ...event.data } };
    case 'PlanHidden':
    case 'PlanRetired':
    case 'PlanDeleted':
      return { type: event.type, data: { plan_id } };
    case 'PlanCreated':
    case 'PlanChanged':
    case 'PlanSlugChanged':
    case 'PlanTermsSet':
    case 'PlanActivated':
      return { type: 'PlanChanged', data: { plan_id } };
    case 'PlanGrantsChanged':
      return { type: 'PlanGrantsChanged', data: { plan_id, ...event.data } };
    case 'PlanSubscriberAdded':
    case 'PlanSubscriberRemoved':
      return undefined;
  }
}
