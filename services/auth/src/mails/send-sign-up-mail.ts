import { uuidv5 } from '@lyceum/kernel';
import { sealInvitation } from '@lyceum/runtime';
import { findOpenByEmail } from '../domain/accounts/account-registry.ts';
import { read } from '../domain/write.ts';
import { resetPath, signUpPath } from '../local-paths.ts';
import type { JoiningPorts } from '../school-projections/invitation-ports.ts';
import { type Invited, invitedAs } from '../school-projections/invited-member.ts';
import type { School } from '../school-projections/school-directory.ts';
import { type SignUpAsk, signUpAsk } from '../sign-up/sign-up-request.ts';
import { writeLetter } from './compose-mail.ts';
import type { Delivery } from './delivery.events.ts';
import type { Outcome } from './outcome.ts';
import { type LetterPorts, post } from './send-account-mail.ts';
import { signUpLetters } from './sign-up-mails.ts';

/** What sending the letters about sign-ups needs. */
export interface SignUpLetterPorts extends LetterPorts {
  readonly joining: JoiningPorts;
}

type SignUpDelivery = Extract<Delivery, { what: 'signUp' }>;

/**
 * Sends a link that opens an account, or says that there is one already: which of the two is found out now, so that asking
 * tells nobody. An ask that is forgotten was answered before.
 */
export async function sendSignUpLetter(
  ports: SignUpLetterPorts,
  delivery: SignUpDelivery,
  school: School,
  key: string,
): Promise<Outcome> {
  const ask = await read(ports, signUpAsk, school.id, delivery.about);
  if (!ask) return 'sent';
  const known = await findOpenByEmail(ports, school.id, ask.email);
  const whom = known
    ? { to: known.email, link: `${school.issuer}${resetPath}` }
    : await invitationFor(ports, delivery, school, ask);
  if (whom === undefined) return 'unavailable';
  const { to, link } = whom;
  const letters = signUpLetters(delivery.language);
  const written = writeLetter(letters, known ? letters.known : letters.open, { school: school.name, email: to, link });
  return post(ports, school, { to, ...written, idempotencyKey: key });
}

/**
 * Whoever is invited already becomes the member that was invited, with the role of the invitation: the letter goes to the
 * address of the invitation, never to one that only looks like it. Every try makes the same member. Undefined when the
 * school's service cannot be asked.
 */
async function invitationFor(
  { joining: { ask, rootKeys } }: SignUpLetterPorts,
  { about, until }: SignUpDelivery,
  school: School,
  { email: typed, interaction }: SignUpAsk & object,
): Promise<{ readonly to: string; readonly link: string } | undefined> {
  let invited: Invited | undefined;
  try {
    invited = await invitedAs(ask, school.id, typed);
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
