import { sealInvitation } from '@lyceum/runtime';
import { uuidv5 } from '@lyceum/kernel';
import { findOpenByEmail } from '../accounts/account-registry.ts';
import type { Delivery } from '../deliveries/delivery.events.ts';
import type { Outcome } from '../deliveries/delivery-process.ts';
import { writeLetter } from '../letters/letter.ts';
import { type LetterPorts, post } from '../letters/send-letter.ts';
import { invitedAs } from '../members/invited-as.ts';
import { resetPath } from '../recovery/reset-path.ts';
import type { School } from '../schools/school-directory.ts';
import { read } from '../writing.ts';
import type { JoiningPorts } from './joining-ports.ts';
import { type SignUpAsk, signUpAsk } from './sign-up-ask.ts';
import { signUpLetters } from './sign-up-letters.ts';
import { signUpPath } from './sign-up-path.ts';

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
  const link = known ? `${school.issuer}${resetPath}` : await linkFor(ports, delivery, school, ask);
  if (link === undefined) return 'unavailable';
  const to = known?.email ?? ask.email;
  const letters = signUpLetters(delivery.language);
  const written = writeLetter(letters, known ? letters.known : letters.open, { school: school.name, email: to, link });
  return post(ports, school, { to, ...written, idempotencyKey: key });
}

/**
 * Whoever is invited already becomes the member that was invited, with the role of the invitation. Every try makes the same
 * member. Undefined when the school's service cannot be asked.
 */
async function linkFor(
  { joining: { ask, rootKeys } }: SignUpLetterPorts,
  { about, until }: SignUpDelivery,
  school: School,
  { email, interaction }: SignUpAsk & object,
): Promise<string | undefined> {
  let invited: string | undefined;
  try {
    invited = await invitedAs(ask, school.id, email);
  } catch {
    return undefined;
  }
  const member = invited ?? `account_${uuidv5('auth', 'sign-up', school.id, about)}`;
  const expires = Math.floor(Date.parse(until) / 1000);
  const query = new URLSearchParams({ invitation: sealInvitation(rootKeys, school.id, { member, email, expires }) });
  if (interaction !== undefined) query.set('interaction', interaction);
  return `${school.issuer}${signUpPath}?${query.toString()}`;
}
