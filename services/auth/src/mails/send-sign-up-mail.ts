import { sealInvitation } from '@lyceum/contracts';
import { uuidv5 } from '@lyceum/kernel';
import type { Outcome } from '@lyceum/service';
import { findOpenByEmail } from '../domain/accounts/account-registry.ts';
import { read } from '../domain/write.ts';
import { resetPath, signUpPath } from '../local-paths.ts';
import type { InvitationPorts } from '../school-projections/invitation-ports.ts';
import { type InvitedMember, invitedMember } from '../school-projections/invited-member.ts';
import type { School } from '../school-projections/school.ts';
import { type SignUpRequest, signUpRequestDecider } from '../sign-up/sign-up-request.ts';
import { composeMail } from './compose-mail.ts';
import type { Delivery } from './delivery.events.ts';
import { type MailPorts, sendInNameOf } from './send-account-mail.ts';
import { signUpMailsFor } from './sign-up-mails.ts';

/** What sending mails about sign-ups needs. */
export interface SignUpMailPorts extends MailPorts {
  readonly joining: InvitationPorts;
}

type SignUpDelivery = Extract<Delivery, { what: 'signUp' }>;

/**
 * Sends a link that opens an account, or says that there is one already: which of the two is found out now, so that asking
 * tells nobody. A request that is erased was answered before.
 */
export async function sendSignUpMail(
  ports: SignUpMailPorts,
  delivery: SignUpDelivery,
  school: School,
  key: string,
): Promise<Outcome> {
  const ask = await read(ports, signUpRequestDecider, school.id, delivery.about);
  if (!ask) return 'sent';
  const known = await findOpenByEmail(ports, school.id, ask.email);
  const whom = known
    ? { to: known.email, link: `${school.issuer}${resetPath}` }
    : await invitationFor(ports, delivery, school, ask);
  if (whom === undefined) return 'unavailable';
  const { to, link } = whom;
  const letters = signUpMailsFor(delivery.language);
  const written = composeMail(letters, known ? letters.known : letters.open, { school: school.name, email: to, link });
  return sendInNameOf(ports, school, { to, ...written, idempotencyKey: key });
}

/**
 * A person who is invited already becomes the invited member, with the role of the invitation: the mail goes to the
 * address of the invitation, never to one that only looks like it. Every try makes the same member. Undefined when the
 * school's service cannot be asked.
 */
async function invitationFor(
  { joining: { ask, rootKeys } }: SignUpMailPorts,
  { about, until }: SignUpDelivery,
  school: School,
  { email: typed, interaction }: SignUpRequest & object,
): Promise<{ readonly to: string; readonly link: string } | undefined> {
  let invited: InvitedMember | undefined;
  try {
    invited = await invitedMember(ask, school.id, typed);
  } catch {
    return undefined;
  }
  const { member, email } = invited ?? {
    member: `account_${uuidv5('auth', 'sign-up', school.id, about)}`,
    email: typed,
  };
  const expires = Math.floor(Date.parse(until) / 1000);
  const query = new URLSearchParams({ invitation: sealInvitation(rootKeys, school.id, { member, email, expires }) });
  if (interaction !== undefined) query.set('interaction', interaction);
  return { to: email, link: `${school.issuer}${signUpPath}?${query.toString()}` };
}
