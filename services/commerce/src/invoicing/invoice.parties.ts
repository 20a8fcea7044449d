import { type ModulePorts, type Seller, sellerOf } from '@lyceum/service';
import { z } from 'zod';
import type { Order } from '../orders/order.state.ts';
import { saidBuyer } from './invoice.buyer.ts';
import type { Parties } from './invoice.of-order.ts';

type AskingPorts = Pick<ModulePorts, 'ask'>;
type PartyPorts = Pick<ModulePorts, 'ask' | 'log'>;

const people = z.object({ members: z.array(z.object({ id: z.string(), name: z.string().nullable() })) });

/** The name of a member as of now; undefined for one who is not known, or was erased. Throws when it cannot be asked. */
async function nameOf({ ask }: AskingPorts, school: string, member: string): Promise<string | undefined> {
  const answer = await ask?.('school', { kind: 'members-by-id', school, ids: [member] });
  return people.parse(answer).members.find(({ id }) => id === member)?.name ?? undefined;
}

/** The day of an instant (RFC 3339) in a time zone, YYYY-MM-DD. */
function dayIn(timeZone: string, at: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(Date.parse(at))
    .map(({ type, value }) => [type, value] as const);
  const { year, month, day } = Object.fromEntries(parts);
  return `${year}-${month}-${day}`;
}

const sellerPart = (school: string, { name, details }: Seller): Parties['seller'] => ({
  id: school,
  name,
  ...(details === null ? {} : { details }),
});

/**
 * Who sells and who buys: the buyer as they said it at the checkout, a member who ordered and said no name by that of the
 * school. A guest is told by what they said only, also when they were matched to a member since: whoever types an address
 * is not to learn whose it is. Throws while the school service does not tell.
 */
export async function partiesOf(ports: PartyPorts, school: string, order: Order): Promise<Parties> {
  const seller = await sellerOf(ports, school);
  const { id, member_id, email } = order.buyer;
  const said = await saidBuyer(ports.log, school, order);
  const { company, address, tax_id, country = null } = said;
  const name = said.name ?? (id === member_id ? await nameOf(ports, school, member_id) : undefined);
  return {
    seller: sellerPart(school, seller),
    buyer: {
      id,
      member_id,
      country,
      ...(name ? { name } : {}),
      ...(email ? { email } : {}),
      ...(company ? { company } : {}),
      ...(address ? { address } : {}),
      ...(tax_id ? { tax_id } : {}),
    },
    day: (at) => dayIn(seller.timezone, at),
  };
}

/** The same without what is personal about the buyer, who was erased. */
export const withoutBuyer = ({ buyer: { id, member_id, country }, ...others }: Parties): Parties => ({
  ...others,
  buyer: { id, member_id, country },
});
