import { DocumentRefused } from '../../domain/clients/documents/document-clients.ts';
import { withParameters, matchesRedirect } from '../../domain/clients/redirect-uri.ts';
import { type IdTokenHint, readIdTokenHint } from '../../domain/tokens/id-token-hint.ts';
import type { Exchange, Step } from '../../http/exchange/exchange.ts';
import { Parameters, parametersSlot } from '../../http/exchange/parameters.ts';
import { slot } from '../../http/exchange/slot.ts';
import { PageProblem } from '../../http/replies/page-problem.ts';
import { isForm, readForm } from '../../http/requests/body.ts';
import { logoutPaths } from '../../local-paths.ts';
import { resolveClient } from '../clients/resolve-client.ts';

/** A checked logout request. */
export interface LogoutRequest {
  readonly hint: IdTokenHint | undefined;
  /** Where the client wants the person back, one of its registered addresses. */
  readonly back: string | undefined;
  readonly state: string | undefined;
}

/** A checked request to sign out. */
export const logoutRequestSlot = slot<LogoutRequest>('the logout request');

const refused = (explanation: 'clientUnknown' | 'redirectUnknown' | 'logoutImpossible') =>
  new PageProblem(400, 'invalid_request', 'requestImpossible', explanation);

/** An address longer than this is lost on its way. */
const longest = 8_000;

/**
 * Reads the parameters of the query. A form comes from another site, and browsers send our session cookie with no such
 * POST, so it is asked for again by a GET: otherwise nobody would seem to be signed in.
 * @see OpenID Connect RP-Initiated Logout 1.0 §2, RFC 6265bis §5.6.7.1
 */
export const readLogoutParameters: Step = async (exchange) => {
  const { request } = exchange;
  if (request.method === 'POST') {
    const posted = isForm(request) ? await readForm(request) : new Parameters([]);
    const query = new URLSearchParams(posted.pairs.map(([name, value]): [string, string] => [name, value])).toString();
    if (query.length > longest) throw refused('logoutImpossible');
    const location = query === '' ? logoutPaths.endSession : `${logoutPaths.endSession}?${query}`;
    exchange.reply = { status: 303, headers: { Location: location, 'Referrer-Policy': 'no-referrer' } };
    return;
  }
  exchange.set(parametersSlot, exchange.query);
};

/**
 * Checks who asks and where to go afterwards, before anything happens: an address is taken only when the client that the
 * hint or `client_id` names has registered it.
 * @see OpenID Connect RP-Initiated Logout 1.0 §2, §3
 */
export const checkLogout: Step = async (exchange) => {
  const parameters = exchange.require(parametersSlot);
  if (parameters.repeated([]) !== undefined) throw refused('logoutImpossible');
  const hint = await hintOf(exchange, parameters.get('id_token_hint'));
  const named = parameters.get('client_id');
  if (hint && named !== undefined && named !== hint.aud) throw refused('logoutImpossible');
  const client = await clientOf(exchange, named ?? hint?.aud, named !== undefined);
  const back = parameters.get('post_logout_redirect_uri');
  if (back !== undefined && !(client && matchesRedirect(client.metadata.post_logout_redirect_uris ?? [], back)))
    throw refused('redirectUnknown');
  exchange.set(logoutRequestSlot, { hint, back, state: parameters.get('state') });
};

async function hintOf(exchange: Exchange, token: string | undefined): Promise<IdTokenHint | undefined> {
  if (token === undefined) return undefined;
  const hint = await readIdTokenHint(exchange.ports, exchange.school, token);
  if (!hint) throw refused('logoutImpossible');
  return hint;
}

/** A client that the hint names may be gone by now; one that the request names must be there. */
async function clientOf({ ports, school }: Exchange, id: string | undefined, mustBe: boolean) {
  const found = await resolveClient(ports, school.id, id).catch((error: unknown) => {
    if (error instanceof DocumentRefused) return undefined;
    throw error;
  });
  const client = found?.disabled ? undefined : found;
  if (mustBe && !client) throw refused('clientUnknown');
  return client;
}

/** The address to go to after signing out, with the client's state. @see OpenID Connect RP-Initiated Logout 1.0 §3 */
export const returnAddress = ({ back, state }: LogoutRequest): string | undefined =>
  back === undefined || state === undefined ? back : withParameters(back, { state });
