import { DocumentRefused } from '../../domain/clients/documents/document-clients.ts';
import { matchesRedirect } from '../../domain/clients/redirect-uri.ts';
import type { Exchange, Step } from '../../http/exchange/exchange.ts';
import { parametersSlot } from '../../http/exchange/parameters.ts';
import { slot } from '../../http/exchange/slot.ts';
import { PageProblem } from '../../http/replies/page-problem.ts';
import { isReference } from '../clients/reference-client.ts';
import { clientSlot } from '../clients/requesting-client.ts';
import { resolveClient } from '../clients/resolve-client.ts';

/** Where the browser may be sent back to: an address that the client registered. */
export const redirectUriSlot = slot<string>('the redirect URI');

const refused = (explanation: 'clientUnknown' | 'clientDocumentRefused' | 'redirectUnknown') =>
  new PageProblem(400, 'invalid_request', 'requestImpossible', explanation);

/** The client is known, open and named once. Nothing is redirected before that. @see RFC 6749 §4.1.2.1 */
export const findRequestingClient: Step = async (exchange) => {
  const [id, ...others] = exchange.require(parametersSlot).all('client_id');
  const client = id !== undefined && others.length === 0 ? await described(exchange, id) : undefined;
  if (!client || client.disabled) throw refused('clientUnknown');
  exchange.set(clientSlot, client);
};

/** The reason why a document cannot be used is logged for its developer, too. */
async function described(exchange: Exchange, id: string) {
  try {
    return await resolveClient(exchange.ports, exchange.school.id, id);
  } catch (error) {
    if (!(error instanceof DocumentRefused)) throw error;
    exchange.ports.logger.info(
      { request_id: exchange.requestId, reason: error.message },
      'a client document was refused',
    );
    throw refused('clientDocumentRefused');
  }
}

/**
 * The redirect URI is given once and is one that the client registered. Nothing is redirected before that.
 * @see RFC 6749 §3.1.2.3, §4.1.2.1, RFC 9700 §4.1.3
 */
export const checkRedirectUri: Step = (exchange) => {
  const uris = exchange.require(parametersSlot).all('redirect_uri');
  const { id, metadata } = exchange.require(clientSlot);
  const [uri] = uris;
  if (uri === undefined || uris.length !== 1 || !matches(metadata.redirect_uris, uri)) throw refused('redirectUnknown');
  exchange.set(redirectUriSlot, uri);

  /** The school itself is at its own port, also on a loopback address: any other program there is not the school. */
  function matches(registered: readonly string[], given: string): boolean {
    return isReference(exchange.school, id) ? registered.includes(given) : matchesRedirect(registered, given);
  }
};
