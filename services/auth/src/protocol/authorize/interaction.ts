import { oauthPaths } from '@lyceum/contracts';
import type { Exchange, Step } from '../../http/exchange/exchange.ts';
import { AuthorizationError, PageProblem } from '../../http/replies/failures.ts';
import { isForm, readForm } from '../../http/requests/body.ts';
import { cookieLine, readCookie, visitCookie } from '../../http/cookies/cookies.ts';
import { Parameters } from '../../http/exchange/parameters.ts';
import { lifetimes } from '../../domain/lifetimes.ts';

interface Interaction {
  readonly started: number;
  readonly pairs: readonly (readonly [string, string])[];
}

/** A sealed request must fit in an address, so that the person can be sent back to it. */
const longestSealed = 12_000;

/**
 * Reads an authorization request: the query of a GET, the form of a POST, or one of our own addresses that resumes a
 * request after a sign-in.
 * @see OIDC Core §3.1.2.1
 */
export const readAuthorizationRequest: Step = async (exchange) => {
  knowVisit(exchange);
  const { request } = exchange;
  const posted = request.method === 'POST';
  const parameters = posted && isForm(request) ? await readForm(request) : queryOf(request.url);
  const resumed = parameters.get('interaction');
  if (resumed !== undefined) {
    openInteraction(exchange, resumed);
    if (parameters.get(another) !== undefined) exchange.know('another', true);
    return;
  }
  exchange.know('parameters', parameters);
  exchange.know('started', exchange.ports.clock.now());
};

/** Reads a form of one of our pages, with the request that it carries sealed. */
export const readPageForm: Step = async (exchange) => {
  knowVisit(exchange);
  const form = await readForm(exchange.request);
  exchange.know('form', form);
  openInteraction(exchange, form.get('interaction') ?? '');
};

/** Seals the request, so that it can travel through our pages: readable by nobody, good in this browser only, for an hour. */
export const sealInteraction: Step = (exchange) => {
  if (exchange.maybe('interaction') !== undefined) return;
  const text = JSON.stringify({ started: exchange.the('started'), pairs: exchange.the('parameters').pairs });
  const sealed = exchange.ports.sealer.seal('interaction', boundTo(exchange), text);
  if (sealed.length > longestSealed) throw new AuthorizationError('invalid_request', 'The request is too long');
  exchange.know('interaction', sealed);
};

/** The address that takes up the request again, from its beginning. Relative: it never leaves this host. */
export const resumeAt = (path: string, exchange: Exchange): string =>
  `${path}?interaction=${encodeURIComponent(exchange.the('interaction'))}`;

/** Says of an address that takes a request up again that somebody else is to sign in. */
const another = 'another';

/** The address at which another person signs in for the request; nobody is signed out before that. */
export const signInAsAnother = (exchange: Exchange): string =>
  `${resumeAt(oauthPaths.authorize, exchange)}&${another}=1`;

function openInteraction(exchange: Exchange, sealed: string): void {
  const text = exchange.ports.sealer.open('interaction', boundTo(exchange), sealed);
  if (text === undefined) throw new PageProblem(400, 'invalid_request', 'pageInvalid', 'pageOfAnotherBrowser');
  const { started, pairs } = JSON.parse(text) as Interaction;
  if (exchange.ports.clock.now() >= started + lifetimes.interaction * 1000)
    throw new PageProblem(400, 'invalid_request', 'pageExpired', 'startAgain');
  exchange.know('started', started);
  exchange.know('parameters', new Parameters(pairs));
  exchange.know('interaction', sealed);
}

const boundTo = (exchange: Exchange): readonly string[] => [exchange.school.id, exchange.the('visit')];

/** Knows this browser by a cookie of its own, which it gets when it has none. */
export function knowVisit(exchange: Exchange): void {
  const cookie = visitCookie(exchange.school.issuer);
  const known = readCookie(exchange.request, cookie);
  const visit = known ?? exchange.ports.ids.secret();
  if (known === undefined) exchange.cookies.push(cookieLine(cookie, visit));
  exchange.know('visit', visit);
}

function queryOf(url = ''): Parameters {
  const at = url.indexOf('?');
  return Parameters.parse(at < 0 ? '' : url.slice(at + 1));
}
