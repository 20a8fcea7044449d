import type { Incoming } from '@lyceum/documents';
import { Unavailable, fold } from '@lyceum/eventlog';
import { erasedSubject } from '@lyceum/kernel';
import { type ModulePorts, type Reaction, rowsAbout } from '@lyceum/service';
import { orderEvents } from '../order.events.ts';
import { ofMember } from './order.personal.ts';
import { orderOfRow, orders } from './order.rows.ts';
import { orderDecider } from '../deciding/order.ts';

type ErasingPorts = Pick<ModulePorts, 'log' | 'documents' | 'erase' | 'vault'>;

/** Milliseconds that the read model is waited for at a time. */
const patience = 1_000;

/** Erases the guest who somebody was who is erased as a member. Idempotent. */
async function eraseGuest({ erase }: ErasingPorts, school: string, guest: string, member: string): Promise<void> {
  if (guest !== member) await erase?.(school, guest, { actor: 'system' });
}

/**
 * Erases every guest who a member was up to the erasure of the member. Throws `Unavailable` while the read model does not
 * have the orders up to it.
 */
async function eraseGuestsOf(ports: ErasingPorts, { tenant: school, position }: Incoming, subject: string) {
  const { documents, log } = ports;
  if (!(await documents.waitFor(orders, 'commerce', log.laneOf(school), position, patience)))
    throw new Unavailable('the orders of somebody who was erased are not read yet');
  let after: string | undefined;
  do {
    const page = await rowsAbout(ports, { school, subject }, ofMember, after, ({ body }) => orderOfRow(body).buyer);
    for (const { id } of page.records as readonly { readonly id: string }[])
      await eraseGuest(ports, school, id, subject);
    after = page.next;
  } while (after !== undefined);
}

const attached = orderEvents.OrderBuyerAttached.data;

/** Erases a guest who turns out to be somebody who was erased meanwhile. */
async function eraseAttached(ports: ErasingPorts, { tenant, stream, data }: Incoming): Promise<void> {
  const { member_id } = attached.parse(data);
  if ((await ports.vault.keyStatus(tenant, member_id)) !== 'erased') return;
  const { state } = await fold(ports.log, orderDecider, tenant, stream);
  if (state) await eraseGuest(ports, tenant, state.buyer.id, member_id);
}

/**
 * A member was erased: what they gave as a guest, before anybody knew which member they are, is about a person of its own,
 * and goes, too. The orders stay, with numbers, amounts and ids. The key of a member is destroyed before their erasure
 * stands in the log: a guest is either among the orders up to it, or attached to somebody without a key.
 */
export const erasingGuests: Reaction = {
  name: 'guests-of-erased',
  events: ['SubjectErased', 'OrderBuyerAttached'],
  async perform(event, ports) {
    const subject = erasedSubject(event);
    return subject === undefined ? eraseAttached(ports, event) : eraseGuestsOf(ports, event, subject);
  },
};
