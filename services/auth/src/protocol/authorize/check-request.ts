import { isOneOf } from '@lyceum/kernel';
import { foreignResource, mostResources } from '../../domain/grants/resource.ts';
import { requestedScopes } from '../../domain/grants/scopes.ts';
import type { Exchange, Step } from '../../http/exchange/exchange.ts';
import { type Parameters, parametersSlot } from '../../http/exchange/parameters.ts';
import { clientSlot } from '../clients/requesting-client.ts';
import { AuthorizationError } from './authorization-error.ts';
import { type Prompt, prompts, authorizationRequestSlot } from './authorization-request.ts';

const invalid = (description: string) => new AuthorizationError('invalid_request', description);

/** Parameters occur once, except `resource`. @see RFC 6749 §3.1, RFC 8707 §2 */
export const refuseRepeatedInRequest: Step = (exchange) => {
  const name = exchange.require(parametersSlot).repeated(['resource']);
  if (name !== undefined) throw invalid(`The parameter ${name} occurs more than once`);
};

/** What this server does not take is refused rather than ignored, because ignoring it would change the request. @see OIDC Core §3.1.2.6 */
export const refuseRequestObjects: Step = (exchange) => {
  const parameters = exchange.require(parametersSlot);
  for (const name of ['request', 'request_uri', 'registration'] as const)
    if (parameters.get(name) !== undefined)
      throw new AuthorizationError(`${name}_not_supported`, `The parameter ${name} is not supported`);
};

/** Only the code flow, answered in the query. @see RFC 6749 §3.1.1, OAuth 2.0 Multiple Response Types §2.1 */
export const checkResponseType: Step = (exchange) => {
  const parameters = exchange.require(parametersSlot);
  const type = parameters.get('response_type');
  if (type === undefined) throw invalid('response_type is missing');
  if (type !== 'code') throw new AuthorizationError('unsupported_response_type', 'The only response type is code');
  if ((parameters.get('response_mode') ?? 'query') !== 'query') throw invalid('The only response_mode is query');
};

/** The client registered the grant type that a code leads to. @see RFC 6749 §4.1.2.1 */
export const checkClientMayAuthorize: Step = (exchange) => {
  if (!exchange.require(clientSlot).metadata.grant_types.includes('authorization_code'))
    throw new AuthorizationError('unauthorized_client', 'The client did not register authorization_code');
};

/** Reads PKCE, prompt, max_age, scope and resource, in this order, into one request. */
export const checkParameters: Step = async (exchange) => {
  const parameters = exchange.require(parametersSlot);
  exchange.set(authorizationRequestSlot, {
    challenge: readChallenge(exchange),
    nonce: parameters.get('nonce'),
    prompts: readPrompts(parameters),
    maxAge: readMaxAge(parameters),
    scopes: readScopes(exchange),
    resource: await readResources(exchange),
  });
};

/**
 * Every client proves that it began the flow, by S256 only; an absent method would mean plain. A confidential client whose
 * operator exempted it may rely on `nonce` instead, and on neither only when the operator says that, too.
 * @see RFC 7636 §4.2–4.4.1, RFC 9700 §2.1.1
 */
function readChallenge(exchange: Exchange): string | undefined {
  const parameters = exchange.require(parametersSlot);
  const [challenge, method] = [parameters.get('code_challenge'), parameters.get('code_challenge_method')];
  if (challenge === undefined && method === undefined && exchange.require(clientSlot).metadata.require_pkce === false) {
    const asked = requestedScopes(parameters.get('scope'), exchange.require(clientSlot));
    const needsNonce = exchange.require(clientSlot).metadata.require_nonce !== false;
    if (needsNonce && asked?.includes('openid') && parameters.get('nonce') === undefined)
      throw invalid('nonce is missing: without PKCE it is required');
    return undefined;
  }
  if (challenge === undefined) throw invalid('code_challenge is missing: PKCE is required');
  if (method !== 'S256') throw invalid('code_challenge_method must be S256');
  if (!/^[\w-]{43}$/.test(challenge)) throw invalid('code_challenge must be 43 base64url characters');
  return challenge;
}

/** @see OIDC Core §3.1.2.1 */
function readPrompts(parameters: Parameters): ReadonlySet<Prompt> {
  const named = (parameters.get('prompt') ?? '').split(' ').filter((name) => name !== '');
  if (!named.every((name) => isOneOf(prompts, name))) throw invalid('prompt has an unknown value');
  const set = new Set(named);
  if (set.has('none') && set.size > 1) throw invalid('prompt none stands alone');
  return set;
}

/** @see OIDC Core §3.1.2.1 */
function readMaxAge(parameters: Parameters): number | undefined {
  const text = parameters.get('max_age');
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw invalid('max_age must be a whole number of seconds');
  return Number(text);
}

/** @see RFC 6749 §3.3 */
function readScopes(exchange: Exchange) {
  const scopes = requestedScopes(exchange.require(parametersSlot).get('scope'), exchange.require(clientSlot));
  if (scopes === undefined) throw new AuthorizationError('invalid_scope', 'A requested scope does not exist');
  if (scopes.length === 0)
    throw new AuthorizationError('invalid_scope', 'None of the requested scopes is registered for the client');
  return scopes;
}

/** @see RFC 8707 §2.1 */
async function readResources(exchange: Exchange): Promise<readonly string[]> {
  const named = [...new Set(exchange.require(parametersSlot).all('resource'))];
  if (named.length > mostResources) throw new AuthorizationError('invalid_target', 'Too many resources are requested');
  if ((await foreignResource(exchange.ports, exchange.school, named)) !== undefined)
    throw new AuthorizationError('invalid_target', 'A requested resource is not an API of this school');
  return named;
}
