import { fold } from '@lyceum/eventlog';
import { percentOf } from '@lyceum/kernel';
import type { Ports } from '@lyceum/web';

import { plans } from '../../plans/plan.http.ts';
import type { Plan } from '../../plans/plan.ts';
import { liveSubscriptionOf } from '../../subscribing/subscribing.ts';
import { givesAccess } from '../../subscriptions/subscription.state.ts';
import { subscriptionDecider } from '../../subscriptions/subscription.ts';

type ReadingPorts = Pick<Ports, 'documents' | 'log'>;

/** Plans that are looked at: a school has a few. */
const mostPlans = 200;

/** The plans that take something off events, the most first. What they open is read from the list: it follows a change soon. */
async function discounting(
  { documents }: ReadingPorts,
  school: string,
): Promise<readonly (readonly [string, number])[]> {
  const { items } = await documents.query(plans.collection, school, { limit: mostPlans });
  return items
    .map(({ id, body }) => [id, (plans.thingOf(body) as Plan).grants.event_discount_percent] as const)
    .filter(([, percent]) => percent > 0)
    .toSorted(([, one], [, other]) => other - one);
}

async function holds({ log }: ReadingPorts, school: string, member: string, plan: string): Promise<boolean> {
  const id = await liveSubscriptionOf(log, school, member, plan);
  const { state } = id === undefined ? { state: null } : await fold(log, subscriptionDecider, school, id);
  return state !== null && givesAccess(state);
}

/** What an event costs somebody who may have a plan that takes something off it: the most that one of theirs does. */
export async function eventPriceFor(
  ports: ReadingPorts,
  school: string,
  member: string | undefined,
  price: number,
): Promise<number> {
  if (member === undefined || price === 0) return price;
  for (const [plan, percent] of await discounting(ports, school))
    if (await holds(ports, school, member, plan)) return price - percentOf(price, percent);
  return price;
}
