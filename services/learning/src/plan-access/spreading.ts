import type { Collection } from '@lyceum/documents';
import { aFewAtATime } from '../enrolling/enrolling.ts';
import type { Item } from '../grants/grant.ts';
import { holdersOf } from './plan-access.rows.ts';
import { type PlanAccessPorts, settle } from './settling.ts';

/** Up to which subscription a change is done. Beside the log: what is lost of it is done again, and changes nothing. */
const cursors: Collection = { name: 'plan-access.cursors', version: 1, fields: {} };

/** Subscriptions that are worked on before it is written down how far it is. */
const batch = 64;
/** With so many items at once each subscription is work enough for a turn. */
const fewItems = 4;

/** A change that concerns all who have a plan. */
export interface Spreading {
  readonly school: string;
  readonly plan_id: string;
  /** Names the change: always the same for the same one. */
  readonly change: string;
  /** What it is about; undefined = all that the plan may concern. */
  readonly items: readonly Item[] | undefined;
}

/** Writes down behind which subscription to go on; null = it is done. */
async function keep({ documents }: PlanAccessPorts, school: string, id: string, after: string | null): Promise<void> {
  const body = after === null ? null : { after };
  // Each belongs to one reaction at a time, so no checkpoint has to guard it: this one never moves.
  await documents.apply(cursors, 'spreading', 0, 0, 0, [{ tenant: school, id, body }]);
}

async function reached({ documents }: PlanAccessPorts, school: string, id: string): Promise<string | undefined> {
  await documents.open(cursors);
  const after = (await documents.get(cursors, school, id))?.['after'];
  return typeof after === 'string' ? after : undefined;
}

/**
 * Settles everybody who has a plan, a batch after the other, from where it was left off. A subscription that begins
 * meanwhile finds the plan as it is by now. Throws when it is to end before it is done.
 */
export async function spread(ports: PlanAccessPorts, spreading: Spreading, closing: AbortSignal): Promise<void> {
  const { school, plan_id, change, items } = spreading;
  const id = `${change}/${plan_id}`;
  const settleOne = (subscription: string) => {
    closing.throwIfAborted();
    return settle(ports, school, subscription, items);
  };
  for (let after = await reached(ports, school, id), more = true; more;) {
    const found = await holdersOf(ports, school, plan_id, { limit: batch, after });
    if (items !== undefined && items.length <= fewItems) await aFewAtATime(found.ids, settleOne);
    else for (const subscription of found.ids) await settleOne(subscription);
    const last = found.more ? found.ids.at(-1) : undefined;
    if (last !== undefined || after !== undefined) await keep(ports, school, id, last ?? null);
    after = last;
    more = last !== undefined;
  }
}
