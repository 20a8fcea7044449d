import type { Incoming } from '@lyceum/documents';
import { fold } from '@lyceum/eventlog';
import { erasedSubject } from '@lyceum/kernel';
import { type ModulePorts, type Reaction, forRowsAbout } from '@lyceum/service';
import { orderEvents } from '../order.events.ts';
import { ofMember } from './order.personal.ts';
import { orderOfRow } from './order.rows.ts';
import { orderDecider } from '../deciding/order.ts';

type ErasingPorts = Pick<ModulePorts, 'log' | 'erase' | 'vault'>;

/** Erases the guest who somebody was who is erased as a member. Idempotent. */
async function eraseGuest({ erase }: ErasingPorts, school: string, guest: string, member: string): Promise<void> {
  if (guest !== member) await erase?.(school, guest, { actor: 'system' });
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
    if (subject === undefined) return eraseAttached(ports, event);
    return forRowsAbout(ports, { service: 'commerce', ...ofMember }, event, subject, ({ body }) =>
      eraseGuest(ports, event.tenant, orderOfRow(body).buyer.id, subject),
    );
  },
};
