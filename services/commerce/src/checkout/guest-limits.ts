import { foldEmail } from '@lyceum/contracts';
import { type Call, addressPartition, perDay, perHour, perMinute, refuseBeyond } from '@lyceum/web';
import { buyerStream } from '../buyers/buyer-streams.ts';
import type { CommercePorts } from '../ports/commerce-ports.ts';

/** How often guests at one address may buy, or pay again: each order holds seats, and what is free sends an invitation. */
const checkouts = [perMinute('checkouts', 10), perDay('checkouts-by-day', 60)];

/** How often guests may buy, or pay again, under one e-mail address: it is written to, and could be anybody's. */
const recipients = [perHour('guest-mails', 5), perDay('guest-mails-by-day', 20)];

/** Counts a checkout of a guest, or another payment. Throws the 429 problem for one too many. */
export async function admitGuest(
  { limits }: Pick<CommercePorts, 'limits'>,
  { school, address }: Pick<Call, 'school' | 'address'>,
): Promise<void> {
  for (const policy of checkouts) refuseBeyond(await limits.admit(policy, school, addressPartition(address)));
}

/** Counts what is about to be written to a guest, by no address that could be read. Throws the 429 problem for one too many. */
export async function admitRecipient(
  { limits, vault }: Pick<CommercePorts, 'limits' | 'vault'>,
  school: string,
  email: string,
): Promise<void> {
  const recipient = await buyerStream(vault, school, 'checkouts', ['email', foldEmail(email)]);
  for (const policy of recipients) refuseBeyond(await limits.admit(policy, school, recipient));
}
