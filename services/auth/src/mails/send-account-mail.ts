import { type Vault, claimant } from '@lyceum/eventlog';
import type { Mail, Message } from '@lyceum/mail';
import { type Outcome, sendMail } from '@lyceum/service';
import type { Ports } from '@lyceum/web';
import { type OpenAccount, findOpenAccount } from '../domain/accounts/account-registry.ts';
import { emailClaim } from '../domain/accounts/account.ts';
import { idOf } from '../domain/streams.ts';
import { resetPath } from '../local-paths.ts';
import { type LinkKind, type LinkOf, linkTo, passwordMark } from '../recovery/mail-links.ts';
import { recoveryStreamPrefix } from '../recovery/recovery.events.ts';
import type { School } from '../school-projections/school.ts';
import type { Sealer } from '../sealing/sealer.ts';
import { composeMail } from './compose-mail.ts';
import type { Delivery } from './delivery.events.ts';
import { mailTextsFor } from './texts/languages.ts';

/** What sending mails needs. */
export interface MailPorts extends Pick<Ports, 'log' | 'clock'> {
  readonly mail: Mail;
  readonly sealer: Sealer;
  readonly vault: Pick<Vault, 'derive'>;
}

type MailDelivery = Extract<Delivery, { what: 'letter' }>;

/** The recipient of a mail, and the address of its link. */
interface Addressee {
  readonly to: string;
  readonly link: string;
  /** The address that a mail about a change names. */
  readonly email: string;
}

/**
 * Composes and sends a mail. The account is looked up now: a mail that has become pointless (the account is closed, the
 * address confirmed, the change made) is not sent and counts as done.
 */
export async function sendAccountMail(
  ports: MailPorts,
  delivery: MailDelivery,
  school: School,
  key: string,
): Promise<Outcome> {
  const account = await accountOf(ports, delivery.about, school.id);
  const addressed = account && addressedTo(ports.sealer, school, account, delivery);
  if (!addressed) return 'sent';
  const texts = mailTextsFor(delivery.language, account.locale ?? undefined, school.locale);
  const written = composeMail(texts, texts[delivery.letter], { school: school.name, ...addressed });
  return sendInNameOf(ports, school, { to: addressed.to, ...written, idempotencyKey: key });
}

/** Sends a mail in the name of the school. */
export const sendInNameOf = (
  ports: Pick<MailPorts, 'mail'>,
  { name }: Pick<School, 'name'>,
  letter: Omit<Message, 'from'>,
): Promise<Outcome> => sendMail(ports, { from: name, ...letter });

async function accountOf(ports: MailPorts, about: string, school: string): Promise<OpenAccount | undefined> {
  const stream = about.startsWith(recoveryStreamPrefix)
    ? await claimant(ports.log, school, emailClaim, about.slice(recoveryStreamPrefix.length))
    : about;
  return stream === undefined ? undefined : findOpenAccount(ports, school, idOf('account', stream));
}

function addressedTo(
  sealer: Sealer,
  school: School,
  account: OpenAccount,
  { letter, until }: MailDelivery,
): Addressee | undefined {
  const { id, email, emailKey, emailVerified, passwordHash, pendingEmail: pending } = account;
  const link = <Kind extends LinkKind>(kind: Kind, says: LinkOf<Kind>) => linkTo(sealer, school, kind, says, until);
  const toPresent = { to: email, email };
  switch (letter) {
    case 'reset':
      return { ...toPresent, link: link('reset', { account: id, password: passwordMark(passwordHash) }) };
    case 'verify':
      return emailVerified ? undefined : { ...toPresent, link: link('verify', { account: id, emailKey }) };
    case 'passwordChanged':
      return { ...toPresent, link: `${school.issuer}${resetPath}` };
    case 'emailChangePresent':
    case 'emailChangeNext': {
      if (!pending) return undefined;
      const side = letter === 'emailChangeNext' ? 'next' : 'present';
      const says = { account: id, change: pending.change, side } as const;
      return { to: side === 'next' ? pending.email : email, email: pending.email, link: link('change', says) };
    }
  }
}
