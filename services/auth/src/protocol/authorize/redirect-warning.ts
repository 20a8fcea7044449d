import { isLoopbackRedirect, redirectHost } from '../../domain/clients/redirect-uri.ts';
import { hasLiveGrant } from '../../domain/grants/grant.projection.ts';
import { seconds } from '../../domain/write.ts';
import type { Exchange, Reply } from '../../http/exchange/exchange.ts';
import { pageReply } from '../../http/replies/page-reply.ts';
import { recogniseSession, accountSlot } from '../../http/session/browser-session.ts';
import { html } from '../../pages/markup/html.ts';
import { sentence } from '../../pages/markup/sentence.ts';
import { noticePage } from '../../pages/notice-page.ts';
import { clientSlot } from '../clients/requesting-client.ts';
import { redirectUriSlot } from './redirect-target.ts';

/**
 * Whether a refusal may redirect the browser without asking: to the school or the person's own machine, to a client that
 * is registered here, or to one that this person has given access. A client may be described at any origin, so without
 * this check a link to the school could lead anywhere.
 * @see RFC 9700 §4.11.2
 */
export async function isExpectedRedirect(exchange: Exchange): Promise<boolean> {
  const { id, kind } = exchange.require(clientSlot);
  const to = exchange.require(redirectUriSlot);
  if (kind !== 'document' || isLoopbackRedirect(to) || to.startsWith(`${exchange.school.issuer}/`)) return true;
  if (!exchange.get(accountSlot)) await recogniseSession(exchange);
  const account = exchange.get(accountSlot)?.id;
  const { ports, school } = exchange;
  return account !== undefined && hasLiveGrant(ports.documents, school.id, id, seconds(ports.clock), account);
}

/** A page instead of the redirect: it names the host of the client, and the person decides. */
export function redirectWarning(exchange: Exchange, { headers }: Reply, reason: string): Reply {
  const { texts, school } = exchange;
  const host = html`<bdi>${redirectHost(exchange.require(redirectUriSlot))}</bdi>`;
  const message = sentence(texts, 'leaveLead', {
    host,
    school: html`<bdi>${school.name}</bdi>`,
    reason: html`${reason}`,
  });
  const onward = { href: headers!['Location']!, label: texts.leaveGo };
  return pageReply(exchange, noticePage, { title: texts.requestRefused, message, onward }, { status: 400 });
}
