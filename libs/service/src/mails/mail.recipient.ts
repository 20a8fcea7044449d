import type { ModulePorts } from '../module.ts';
import { z } from 'zod';
import { type Seller, sellerOf } from './seller.ts';

type AskingPorts = Pick<ModulePorts, 'ask'>;

/** Who is written to, as far as the order or the subscription says. */
export interface Addressed {
  readonly member_id: string | null;
  /** The address that a guest gave; null or undefined = a member's, or one that is erased. */
  readonly email?: string | null | undefined;
  /** BCP 47. */
  readonly language?: string | undefined;
}

/** Who is written to, in which language (BCP 47). */
interface Recipient {
  readonly to: string;
  readonly language: string;
}

const people = z.object({ members: z.array(z.object({ id: z.string(), email: z.string().nullable() })) });
const account = z.object({ locale: z.string().nullish() }).optional();

async function addressOf({ ask }: AskingPorts, school: string, member: string): Promise<string | undefined> {
  const answer = await ask?.('school', { kind: 'members-by-id', school, ids: [member] });
  return people.parse(answer).members.find(({ id }) => id === member)?.email ?? undefined;
}

/** The language of an account; undefined for one that has said none, or while it cannot be asked: a mail is not to wait for it. */
async function languageOf({ ask }: AskingPorts, school: string, member: string): Promise<string | undefined> {
  try {
    return account.parse(await ask?.('auth', { kind: 'account', school, account: member }))?.locale ?? undefined;
  } catch {
    return undefined;
  }
}

/** Who is written to; undefined when nobody has an address. Throws while the school service cannot be asked. */
async function recipientOf(
  ports: AskingPorts,
  school: string,
  { locale }: Seller,
  { member_id, email, language }: Addressed,
): Promise<Recipient | undefined> {
  const to = email ?? (member_id === null ? undefined : await addressOf(ports, school, member_id));
  if (to === undefined) return undefined;
  const spoken = language ?? (member_id === null ? undefined : await languageOf(ports, school, member_id));
  return { to, language: spoken ?? locale };
}

/** Who writes, and who is written to. */
export interface Addressing {
  readonly seller: Seller;
  /** undefined when nobody has an address. */
  readonly recipient: Recipient | undefined;
}

/** Who writes and who is written to; undefined while the school service cannot be asked. */
export async function addressingOf(
  ports: AskingPorts,
  school: string,
  addressed: Addressed,
): Promise<Addressing | undefined> {
  try {
    const seller = await sellerOf(ports, school);
    return { seller, recipient: await recipientOf(ports, school, seller, addressed) };
  } catch {
    return undefined;
  }
}
