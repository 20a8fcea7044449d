import { oauthPaths } from '@lyceum/contracts';
import { storedJson } from '@lyceum/kernel';
import { lifetimes } from '../../domain/lifetimes.ts';
import { browserSecretSlot, identifyBrowser } from '../../http/cookies/browser-cookie.ts';
import type { Exchange, Step } from '../../http/exchange/exchange.ts';
import { Parameters, parametersSlot, formSlot } from '../../http/exchange/parameters.ts';
import { slot } from '../../http/exchange/slot.ts';
import { PageProblem } from '../../http/replies/page-problem.ts';
import { isForm, readForm } from '../../http/requests/body.ts';
import { AuthorizationError } from './authorization-error.ts';

/** The sealed authorization request, as our pages carry it. */
export const interactionSlot = slot<string>('the interaction');

/** When the person was first asked, in milliseconds since the epoch. */
export const startedSlot = slot<number>('the start of the interaction');

/** The person asks to sign in with another account. */
export const otherAccountSlot = slot<true>('the wish for another account');

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
  identifyBrowser(exchange);
  const { request } = exchange;
  const posted = request.method === 'POST';
  const parameters = posted && isForm(request) ? await readForm(request) : exchange.query;
  const resumed = parameters.get('interaction');
  if (resumed !== undefined) {
    openInteraction(exchange, resumed);
    if (parameters.get(another) !== undefined) exchange.set(otherAccountSlot, true);
    return;
  }
  exchange.set(parametersSlot, parameters);
  exchange.set(startedSlot, exchange.ports.clock.now());
};

/** Reads a form of one of our pages, with the request that it carries sealed. */
export const readPageForm: Step = async (exchange) => {
  identifyBrowser(exchange);
  const form = await readForm(exchange.request);
  exchange.set(formSlot, form);
  openInteraction(exchange, form.get('interaction') ?? '');
};

/** Seals the request, so that it can travel through our pages: readable by nobody, good in this browser only, for an hour. */
export const sealInteraction: Step = (exchange) => {
  if (exchange.get(interactionSlot) !== undefined) return;
  const text = JSON.stringify({
    started: exchange.require(startedSlot),
    pairs: exchange.require(parametersSlot).pairs,
  });
  const sealed = exchange.ports.sealer.seal('interaction', boundTo(exchange), text);
  if (sealed.length > longestSealed) throw new AuthorizationError('invalid_request', 'The request is too long');
  exchange.set(interactionSlot, sealed);
};

/** The address that takes up the request again, from its beginning. Relative: it never leaves this host. */
export const resumeAt = (path: string, exchange: Exchange): string =>
  `${path}?interaction=${encodeURIComponent(exchange.require(interactionSlot))}`;

/** Says of an address that takes a request up again that somebody else is to sign in. */
const another = 'another';

/** The address at which another person signs in for the request; nobody is signed out before that. */
export const signInAsAnother = (exchange: Exchange): string =>
  `${resumeAt(oauthPaths.authorize, exchange)}&${another}=1`;

function openInteraction(exchange: Exchange, sealed: string): void {
  const text = exchange.ports.sealer.open('interaction', boundTo(exchange), sealed);
  if (text === undefined) throw new PageProblem(400, 'invalid_request', 'pageInvalid', 'pageOfAnotherBrowser');
  const { started, pairs } = storedJson<Interaction>(text);
  if (exchange.ports.clock.now() >= started + lifetimes.interaction * 1000)
    throw new PageProblem(400, 'invalid_request', 'pageExpired', 'startAgain');
  exchange.set(startedSlot, started);
  exchange.set(parametersSlot, new Parameters(pairs));
  exchange.set(interactionSlot, sealed);
}

const boundTo = (exchange: Exchange): readonly string[] => [exchange.school.id, exchange.require(browserSecretSlot)];
