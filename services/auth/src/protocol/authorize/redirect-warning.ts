import { isLoopbackRedirect, redirectHost } from '../../domain/clients/redirect-uri.ts';
import type { Exchange, Reply } from '../../http/exchange/exchange.ts';
import { pageReply } from '../../http/replies/page-reply.ts';
import { html } from '../../pages/markup/html.ts';
import { noticePage } from '../../pages/notice-page.ts';
import { sentence } from '../../pages/markup/sentence.ts';
import { hasLiveGrant } from '../../domain/grants/grant.projection.ts';
import { recogniseSession } from '../../http/session/browser-session.ts';
import { seconds } from '../../domain/write.ts';

/**
 * Whether a refusal may send the browser on without a word: back to the school or the person's own machine, to a client that somebody
 * registered here, or to one that this person has given access. Any origin describes a client, so that everybody could
 * make links to the school that lead anywhere.
 * @see RFC 9700 §4.11.2
 */
export async function mayLeave(exchange: Exchange): Promise<boolean> {
  const { id, kind } = exchange.the('client');
  const to = exchange.the('redirectUri');
  if (kind !== 'document' || isLoopbackRedirect(to) || to.startsWith(`${exchange.school.issuer}/`)) return true;
  if (!exchange.maybe('account')) await recogniseSession(exchange);
  const account = exchange.maybe('account')?.id;
  const { ports, school } = exchange;
  return account !== undefined && hasLiveGrant(ports.documents, school.id, id, seconds(ports.clock), account);
}

/** The redirect of a refusal as a page: it names where it leads, and the person decides. */
export function leavingPage(exchange: Exchange, { headers }: Reply, reason: string): Reply {
  const { texts, school } = exchange;
  const host = html`<bdi>${redirectHost(exchange.the('redirectUri'))}</bdi>`;
  const message = sentence(texts, 'leaveLead', {
    host,
    school: html`<bdi>${school.name}</bdi>`,
    reason: html`${reason}`,
  });
  const onward = { href: headers!['Location']!, label: texts.leaveGo };
  return pageReply(exchange, noticePage, { title: texts.requestRefused, message, onward }, { status: 400 });
}
