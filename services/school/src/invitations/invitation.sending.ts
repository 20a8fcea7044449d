import { type EventLog, Unavailable, fold } from '@lyceum/eventlog';
import { uuidv5 } from '@lyceum/kernel';
import { MailRefused, type Message } from '@lyceum/mail';
import { type Reaction, type ModulePorts } from '@lyceum/service';
import { sealInvitation } from '@lyceum/contracts';
import { arrivalDecider, arrivalStream } from '../arrival/arrival.ts';
import { entryDecider, entryStream, platformTenant } from '../directory/entry.ts';
import { type Member, memberDecider } from '../members/member.ts';
import { profileDecider, profileOf, profileStream } from '../school/profile.ts';
import { schoolDecider } from '../school/school.ts';
import { invitationMail } from './invitation.mail.ts';
import { sendOnce } from './invitation.receipt.ts';

/** How long an invitation is good, seconds. */
const goodFor = 7 * 24 * 3600;

/** The address at which an invited person opens their account. */
export function invitationLink(
  { rootKeys }: Pick<ModulePorts, 'rootKeys'>,
  place: { readonly school: string; readonly base_url: string },
  invited: { readonly id: string; readonly email: string; readonly name: string | null; readonly since: number },
): string {
  const { id, email, name, since } = invited;
  const expires = Math.floor(since / 1000) + goodFor;
  const made = { member: id, email, expires, ...(name === null ? {} : { name }) };
  return `${place.base_url}/oauth/sign-up?invitation=${sealInvitation(rootKeys, place.school, made)}`;
}

/**
 * Sends each invitation to whom it is for, unless it is too late. Those that came with a school from elsewhere are sent
 * again when it has opened: the links that people have were sealed under keys of another installation.
 */
export const invitingReaction: Reaction = {
  name: 'inviting',
  events: ['MemberInvited', 'InvitationRenewed'],
  async perform({ tenant, stream, version, at }, ports) {
    const since = Date.parse(at);
    const departure = await departureOf(ports.log, tenant);
    const [{ state }, { state: place }, { state: profile }] = await Promise.all([
      fold(ports.log, memberDecider, tenant, stream),
      fold(ports.log, schoolDecider, tenant, tenant),
      fold(ports.log, profileDecider, tenant, profileStream),
    ]);
    const isLate = ports.clock.now() >= since + goodFor * 1000;
    if (!place || !isInvited(state) || isLate) return;
    const invited = { id: stream, email: state.email, name: state.name, since };
    const link = invitationLink(ports, { school: tenant, base_url: place.base_url }, invited);
    const { name, locale } = profileOf(place, profile);
    const message = invitationMail({ school: name, locale, role: state.role, link });
    // Another mail than the one from elsewhere: a mailbox keeps one of each.
    const departures = departure === undefined ? [] : [departure];
    const idempotencyKey = `invitation/${uuidv5('invitation', tenant, stream, version, ...departures)}`;
    const mail = { to: state.email, from: name, ...message, idempotencyKey, asked: at };
    const receipt = uuidv5('invitation-sent', tenant, stream, version, ...departures);
    await sendOnce(ports, tenant, receipt, () => send(ports, mail, stream));
  },
};

async function send({ mail, logger }: ModulePorts, message: Message, stream: string): Promise<void> {
  try {
    await mail.send(message);
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    logger.warn({ stream }, 'an invitation cannot be sent to its address');
  }
}

const isInvited = (state: Member | undefined): state is Member & { readonly email: string } =>
  state?.status === 'invited' && state.email !== null;

/**
 * The departure that a school came by; undefined when it was provisioned here. Throws until it is open and its own tenant
 * has been told where it is to be found here.
 */
async function departureOf(log: EventLog, school: string): Promise<string | undefined> {
  const { state } = await fold(log, arrivalDecider, school, arrivalStream);
  if (!state) return undefined;
  const known = await fold(log, entryDecider, platformTenant, entryStream(school));
  if (!state.complete || !known.state?.settled) throw new Unavailable('the school is still arriving');
  return state.departure;
}
