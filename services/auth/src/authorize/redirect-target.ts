import { findClient } from '../clients/client-registry.ts';
import { matchesRedirect } from '../clients/redirect-uri.ts';
import type { Step } from '../endpoint/exchange.ts';
import { PageProblem } from '../endpoint/failure.ts';

const refused = (explanation: 'clientUnknown' | 'redirectUnknown') =>
  new PageProblem(400, 'invalid_request', 'requestImpossible', explanation);

/** The client is known and named once. Nothing is redirected before that. @see RFC 6749 §4.1.2.1 */
export const findRequestingClient: Step = async (exchange) => {
  const ids = exchange.the('parameters').all('client_id');
  const client = ids.length === 1 ? await findClient(exchange.ports, exchange.school.id, ids[0]) : undefined;
  if (!client) throw refused('clientUnknown');
  exchange.know('client', client);
};

/**
 * The redirect URI is given once and is one that the client registered. Nothing is redirected before that.
 * @see RFC 6749 §3.1.2.3, §4.1.2.1, RFC 9700 §4.1.3
 */
export const checkRedirectUri: Step = (exchange) => {
  const uris = exchange.the('parameters').all('redirect_uri');
  const registered = exchange.the('client').metadata.redirect_uris;
  if (uris.length !== 1 || !matchesRedirect(registered, uris[0]!)) throw refused('redirectUnknown');
  exchange.know('redirectUri', uris[0]!);
};
