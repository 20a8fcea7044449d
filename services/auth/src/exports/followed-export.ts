import { isoTime } from '@lyceum/kernel';
import { findOpenAccount } from '../domain/accounts/account-registry.ts';
import { read } from '../domain/write.ts';
import type { Exchange } from '../http/exchange/exchange.ts';
import { PageProblem } from '../http/replies/page-problem.ts';
import { tokenOf } from '../recovery/followed-link.ts';
import { type LinkOf, openLink } from '../recovery/mail-links.ts';
import { exportRequestDecider, exportRequestStream, liveExport } from './export-request.ts';

const unknown = () => new PageProblem(404, 'not_found', 'linkInvalidTitle', 'exportLinkUnknown');
const gone = () => new PageProblem(410, 'gone', 'linkInvalidTitle', 'exportLinkGone');

/**
 * The account whose data the link of the request is for. Throws the page about a link that is none of this school (404), or
 * that was one (410): it has expired, another one was asked for, the account has another address, or the person is erased.
 * Members who are suspended keep it: they may know what is known of them.
 */
export async function exportedAccount(exchange: Exchange): Promise<string> {
  const { ports, school } = exchange;
  // Opened as of the beginning of time: whether it has expired, the request tells.
  const link = openLink(ports.sealer, school, 'export', tokenOf(exchange), 0);
  if (!link) throw unknown();
  if (!(await isLive(exchange, link))) throw gone();
  return link.account;
}

async function isLive({ ports, school }: Exchange, link: LinkOf<'export'>): Promise<boolean> {
  const account = await findOpenAccount(ports, school.id, link.account);
  const state = await read(ports, exportRequestDecider, school.id, exportRequestStream(link.account));
  const live = liveExport(state, isoTime(ports.clock.now()));
  return account?.emailKey === link.emailKey && live?.expires_at === link.expires;
}
