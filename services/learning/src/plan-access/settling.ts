import { type Holding, givesAccess } from '@lyceum/contracts';
import { Unavailable } from '@lyceum/eventlog';
import { isoTime } from '@lyceum/kernel';
import type { ModulePorts } from '@lyceum/service';
import { randomUUID } from 'node:crypto';
import { aFewAtATime } from '../enrolling/enrolling.ts';
import { changeGrant } from '../granting/granting.ts';
import type { FollowPlan } from '../grants/grant.plans.ts';
import type { Item, ItemType } from '../grants/grant.ts';
import { knownMember } from '../members/known-members.ts';
import { knownHolding, knownPlan } from './plan-access.rows.ts';
import { type PlanOpenings, everNamed, everOpenedAll, nothingOpened, openTo } from './plan-openings.ts';
import { isPublic, publicItemsOf } from './public-items.ts';

/** What plan access works with. */
export type PlanAccessPorts = Pick<ModulePorts, 'log' | 'documents' | 'clock'>;

const types = ['course', 'digital_product'] as const satisfies readonly ItemType[];

/** A subscription with its plans, as they are known now. */
interface Standing {
  readonly holding: Holding;
  readonly plans: ReadonlyMap<string, PlanOpenings>;
  /** What it follows from: the versions of all of them. */
  readonly versions: string;
}

/** The subscription is read first: its plan is at least as new then. */
async function standingOf(ports: PlanAccessPorts, school: string, subscription: string): Promise<Standing | undefined> {
  const known = await knownHolding(ports, school, subscription);
  if (!known) return undefined;
  const { holding, version } = known;
  const plans = await Promise.all(holding.plans.map(async (id) => ({ id, plan: await knownPlan(ports, school, id) })));
  const versions = [version, ...plans.map(({ plan }) => plan?.version ?? 0)].join(' ');
  return {
    holding,
    plans: new Map(plans.map(({ id, plan }) => [id, plan?.openings ?? nothingOpened])),
    versions,
  };
}

/** All that a subscription may have opened, or may open now. */
async function itemsOf(ports: PlanAccessPorts, school: string, { plans }: Standing): Promise<readonly Item[]> {
  const all = await Promise.all(
    types.map(async (item_type) => {
      const named = [...plans.values()].flatMap((plan) => everNamed(plan, item_type));
      const isAll = [...plans.values()].some((plan) => everOpenedAll(plan, item_type));
      const ids = new Set([...named, ...(isAll ? await publicItemsOf(ports, school, item_type) : [])]);
      return [...ids].map((item_id): Item => ({ item_type, item_id }));
    }),
  );
  return all.flat();
}

/** What the subscription is to give of an item. */
function wantedOf(subscription_id: string, { holding, plans }: Standing, item: Item): FollowPlan {
  const { access, since, ended, plan_id } = holding;
  const about = { type: 'FollowPlan', subscription_id, access } as const;
  if (since === null || !givesAccess(holding))
    return { ...about, generation: null, opens: false, reason: ended ?? 'canceled' };
  return { ...about, ...openTo(plans.get(plan_id) ?? nothingOpened, item, since), reason: 'plan_changed' };
}

/** So often a subscription may change while it is worked on, before it has to wait. */
const mostChanges = 10;

/**
 * Gives the member of a subscription what its plan opens by now, and takes back what it does not: of some items, or of all
 * that it may concern. What is not public is not given, and stays with those who have it. The subscription and its plans
 * are read again afterwards, and all of it is done anew when they have changed, so that whoever is last leaves what is
 * right.
 */
export async function settle(
  ports: PlanAccessPorts,
  school: string,
  subscription: string,
  items?: readonly Item[],
): Promise<void> {
  let known = await standingOf(ports, school, subscription);
  for (let changes = 0; known && changes < mostChanges; changes += 1) {
    const standing = known;
    const { member_id } = standing.holding;
    if ((await knownMember(ports, school, member_id))?.status === 'erased') return;
    await aFewAtATime(items ?? (await itemsOf(ports, school, standing)), (item) =>
      follow(ports, school, member_id, item, wantedOf(subscription, standing, item)),
    );
    known = await standingOf(ports, school, subscription);
    if (known?.versions === standing.versions) return;
  }
  if (known) throw new Unavailable('the subscription changes too often to be followed');
}

async function follow(
  { log, documents, clock }: PlanAccessPorts,
  school: string,
  member_id: string,
  item: Item,
  command: FollowPlan,
): Promise<void> {
  if (command.opens && !(await isPublic({ documents }, school, item.item_id))) return;
  const at = isoTime(clock.now());
  // The decision alone makes sure that nothing is done twice: the same may have to be done again.
  const commitId = randomUUID();
  await changeGrant(log, { tenant: school, ...item, member_id, command, at, meta: { actor: 'system' }, commitId });
}
