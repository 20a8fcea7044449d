import { fold } from '@lyceum/eventlog';
import { type PersonalData, rowsAbout } from '@lyceum/service';
import type { Ports } from '@lyceum/web';
import { orderOfRow, orders } from './order.rows.ts';
import { ownOrder } from './order.schema.ts';
import { orderDecider } from '../deciding/order.ts';
import { orderDocument } from './order.view.ts';

/** The orders of a member. */
export const ofMember = { collection: orders, field: 'member_id' } as const;

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
