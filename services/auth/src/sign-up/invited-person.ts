import { type Invitation, openInvitation, readEmail } from '@lyceum/contracts';
import { findOpenAccount } from '../domain/accounts/account-registry.ts';
import { seconds } from '../domain/write.ts';
import type { Exchange } from '../http/exchange/exchange.ts';
import { formSlot } from '../http/exchange/parameters.ts';
import { linkProblem } from '../recovery/followed-link.ts';

/** A parameter of the address, or of the form of its page. */
export const parameterOf = (exchange: Exchange, name: 'invitation' | 'interaction'): string | undefined => {
  return exchange.get(formSlot)?.get(name) ?? exchange.query.get(name);
};

/**
 * Who is invited by the link that was followed; undefined without one. Throws the page about links that do nothing when
 * it is altered, expired, of another school, used already (then there is the account), withdrawn with the person's erasure,
 * or for an address that only looks like one.
 */
export async function invitedPerson(exchange: Exchange): Promise<Invitation | undefined> {
  const { ports, school } = exchange;
  const sealed = parameterOf(exchange, 'invitation');
  if (sealed === undefined) return undefined;
  const invited = openInvitation(ports.joining.rootKeys, school.id, sealed);
  if (!invited || invited.expires <= seconds(ports.clock)) throw linkProblem('invitation');
  if (readEmail(invited.email) === undefined) throw linkProblem('invitation');
  if ((await ports.vault.keyStatus(school.id, invited.member)) === 'erased') throw linkProblem('invitation');
  if (await findOpenAccount(ports, school.id, invited.member)) throw linkProblem('invitation');
  return invited;
}
