import { uuidv5 } from '@lyceum/kernel';
import type { ModulePorts, Reaction } from '@lyceum/service';
import { plans } from '../../plans/plan.http.ts';
import type { CommercePorts } from '../../ports/commerce-ports.ts';
import { decideSubscription, liveSubscriptionOf } from '../../subscribing/subscribing.ts';
import { subscriptionEvents } from '../subscription.events.ts';

type EndingPorts = Pick<CommercePorts, 'log' | 'clock'> & Partial<Pick<CommercePorts, 'turns'>>;

/** Ends a subscription now, where it is not over. Nothing is charged for it any more. Idempotent. */
async function end(ports: EndingPorts, school: string, id: string): Promise<void> {
  const commitId = uuidv5('subscriber-erased', school, id);
  const cancel = { type: 'CancelSubscription', at: 'now', reason: 'erased', by: 'system' } as const;
  await decideSubscription(ports, { school, id, commitId }, (now) => ({ ...cancel, now }));
}

const pageSize = 200;

/** The ids of all plans that a school ever published, page by page. */
async function* plansOf({ documents }: Pick<ModulePorts, 'documents'>, school: string): AsyncIterable<string> {
  let after: string | undefined;
  do {
    const behind = after === undefined ? {} : { after: { value: null, id: after } };
    const { items, more } = await documents.query(plans.collection, school, { limit: pageSize, ...behind });
    for (const { id } of items) yield id;
    after = more ? items.at(-1)?.id : undefined;
  } while (after !== undefined);
}

/**
 * A member was erased: their subscriptions end now. They are found by what they hold, as of now: read models may lag, and
 * plans are few. Idempotent.
 */
export async function subscriberErased(
  school: string,
  subject: string,
  ports: EndingPorts & Pick<ModulePorts, 'documents'>,
): Promise<void> {
  for await (const plan of plansOf(ports, school)) {
    const id = await liveSubscriptionOf(ports.log, school, subject, plan);
    if (id !== undefined) await end(ports, school, id);
  }
}

const started = subscriptionEvents.SubscriptionStarted.data.pick({ member_id: true });

/** Ends what begins for somebody who was erased meanwhile, e.g. between the payment and its news. */
export const endingForErased: Reaction = {
  name: 'subscriptions-of-erased',
  events: ['SubscriptionStarted'],
  async perform({ tenant, stream, data }, ports) {
    const { member_id } = started.parse(data);
    if ((await ports.vault.keyStatus(tenant, member_id)) === 'erased') await end(ports, tenant, stream);
  },
};
