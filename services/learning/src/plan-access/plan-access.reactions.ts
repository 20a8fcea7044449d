import { holdingFacts } from '@lyceum/contracts';
import type { Incoming } from '@lyceum/documents';
import { Unavailable } from '@lyceum/eventlog';
import type { Reaction } from '@lyceum/service';
import { setTimeout as pause } from 'node:timers/promises';
import type { Item } from '../grants/grant.ts';
import { knownMember } from '../members/known-members.ts';
import { isGrantsFact, isSubscriptionFact, knownHolding, knownPlan, plansOf } from './plan-access.rows.ts';
import { opensToSomebody } from './plan-openings.ts';
import { isShownFact, itemIn, publicItem } from './public-items.ts';
import { type PlanAccessPorts, settle } from './settling.ts';
import { spread } from './spreading.ts';

/** Milliseconds between looks for what a read model does not have yet, and until the reaction is tried again. */
const [look, patience] = [5, 5_000];

/** What a read model has of a stream, once it has an event of it. Throws while it is behind. */
async function onceKnown<Row extends { readonly version: number }>(
  { version }: Pick<Incoming, 'version'>,
  read: () => Promise<Row | undefined>,
): Promise<Row> {
  for (const until = performance.now() + patience; ;) {
    const row = await read();
    if (row && row.version >= version) return row;
    if (performance.now() > until) throw new Unavailable('the read model is behind what it is to follow');
    await pause(look);
  }
}

/** Settles a subscription that began or ended. */
async function followSubscription(event: Incoming, ports: PlanAccessPorts): Promise<void> {
  if (!isSubscriptionFact(event)) return;
  const { tenant, data } = event;
  // Nobody is left to have anything, or to lose it.
  const isErased = async () => (await knownMember(ports, tenant, data.member_id))?.status === 'erased';
  if (await isErased()) return;
  await onceKnown(event, () => knownHolding(ports, tenant, data.subscription_id));
  await settle(ports, tenant, data.subscription_id);
}

/** Settles all who have a plan that opens something else. */
async function followPlan(event: Incoming, ports: PlanAccessPorts, closing: AbortSignal): Promise<void> {
  if (!isGrantsFact(event)) return;
  const { tenant: school, stream, version, data } = event;
  const { plan_id, added, removed } = data;
  await onceKnown(event, () => knownPlan(ports, school, plan_id));
  const items = [...added, ...removed].flatMap(({ item_type, item_id }): readonly Item[] =>
    item_id === null ? [] : [{ item_type, item_id }],
  );
  const isAll = items.length < added.length + removed.length;
  await spread(ports, { school, plan_id, change: `${stream}@${version}`, items: isAll ? undefined : items }, closing);
}

/** Gives an item that becomes public to all whose plan opens it. */
async function followItem(event: Incoming, ports: PlanAccessPorts, closing: AbortSignal): Promise<void> {
  if (!isShownFact(event)) return;
  const { tenant: school, stream, version } = event;
  const item = itemIn(event);
  const { public_since } = await onceKnown(event, () => publicItem(ports, school, item.item_id));
  // It was public before, or is no more, or became so again later.
  if (public_since !== version) return;
  for await (const { plan_id, openings } of plansOf(ports, school))
    if (opensToSomebody(openings, item))
      await spread(ports, { school, plan_id, change: `${stream}@${version}`, items: [item] }, closing);
}

/**
 * Members have what their plan opens, for as long as their subscription gives access: each subscription, each plan and each
 * item that becomes public is followed by itself, in any order and as often as it comes.
 */
export const planAccessReactions: readonly Reaction[] = [
  { name: 'plan-members', source: 'commerce', events: holdingFacts, perform: followSubscription },
  { name: 'plan-grants', source: 'commerce', events: ['PlanGrantsChanged'], perform: followPlan },
  { name: 'plan-items', source: 'catalog', events: ['CourseShown', 'DigitalProductShown'], perform: followItem },
];
