import { fold } from '@lyceum/eventlog';
import { type ModulePorts, type PersonalData, rowsAbout } from '@lyceum/service';
import type { Ports } from '@lyceum/web';
import { orderOfRow, orders } from './order.rows.ts';
import { ownOrder } from './order.schema.ts';
import { orderDecider } from './order.ts';
import { orderDocument } from './order.view.ts';

const ofMember = { collection: orders, field: 'member_id' } as const;

/** What a person bought, with the address and the name that they gave when they bought as a guest. */
export const orderData: PersonalData<Pick<Ports, 'documents' | 'log'>> = {
  file: 'orders',
  read: (person, ports, after) =>
    rowsAbout(ports, person, ofMember, after, async ({ id, body }) => {
      const { state } = await fold(ports.log, orderDecider, person.school, id);
      const { email, name, company, address, tax_id, country, language } = state?.buyer ?? {};
      return {
        ...ownOrder.parse(orderDocument(id, orderOfRow(body), 'member')),
        email: email ?? null,
        name: name ?? null,
        company: company ?? null,
        address: address ?? null,
        tax_id: tax_id ?? null,
        country: country ?? null,
        language: language ?? null,
      };
    }),
};

/**
 * A member was erased: what they gave as a guest, before anybody knew which member they are, is about a person of its own,
 * and goes, too. The orders stay, with numbers, amounts and ids.
 */
export async function guestsErased(
  school: string,
  subject: string,
  { documents, erase }: Pick<ModulePorts, 'documents' | 'erase'>,
): Promise<void> {
  let after: string | undefined;
  do {
    const page = await rowsAbout(
      { documents },
      { school, subject },
      ofMember,
      after,
      ({ body }) => orderOfRow(body).buyer,
    );
    for (const { id } of page.records as readonly { readonly id: string }[])
      if (id !== subject) await erase?.(school, id, { actor: 'system' });
    after = page.next;
  } while (after !== undefined);
}
