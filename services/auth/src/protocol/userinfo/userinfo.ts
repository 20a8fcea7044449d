import { schoolOriginHeader } from '@lyceum/contracts';
import { InvalidToken, TokenInQuery, TooManyForgeries, bearerToken, challenge } from '@lyceum/oauth';
import { type Policy, Problem, addressPartition } from '@lyceum/web';
import type { KnownAccount } from '../../domain/accounts/account-registry.ts';
import { isOwnResource, originsOf } from '../../domain/grants/resource.ts';
import { liveAccess, type LiveAccess } from '../../domain/tokens/live-token.ts';
import { type Exchange, type Step, refusing } from '../../http/exchange/exchange.ts';
import { slot } from '../../http/exchange/slot.ts';
import { isForm, readForm } from '../../http/requests/body.ts';
import { clientAddress } from '../../http/requests/client-address.ts';
import { addressOf, limitBy } from '../../http/steps/limits.ts';

/** The access token that the request carries, when it is valid. */
const accessSlot = slot<LiveAccess>('the access token');

/** Why the access token of the request is refused. */
const refusalSlot = slot<Problem>('the refusal');

/** Where the request came in, for challenges. @see RFC 9728 §3.3 */
function placeOf({ request, school }: Exchange) {
  const origin = request.headers[schoolOriginHeader]?.toString() ?? '';
  return { issuer: school.issuer, origin: originsOf(school).includes(origin) ? origin : undefined };
}

const deadToken = 'The access token is malformed, expired or revoked';

/**
 * Finds out whose access token the request carries, or why it is refused. The refusal waits until the request is counted.
 * @see RFC 6750 §2, §3.1
 */
export const recogniseAccess: Step = refusing(
  ['invalid_request', 'invalid_token', 'insufficient_scope'],
  async (exchange) => {
    try {
      const from = addressPartition(clientAddress(exchange.request));
      const live = await liveAccess(exchange.ports, exchange.school, await tokenOf(exchange), from);
      // A token for another API alone must not reveal the person to the server of that API.
      const isOurs = live && [live.claims.aud].flat().some((each) => isOwnResource(exchange.school, each));
      if (!isOurs) throw invalidToken(exchange, deadToken);
      exchange.set(accessSlot, live);
    } catch (error) {
      const refusal = error instanceof TooManyForgeries ? tooMany(error) : error;
      if (!(refusal instanceof Problem)) throw error;
      exchange.set(refusalSlot, refusal);
    }
  },
);

const tooMany = ({ message, wait }: TooManyForgeries): Problem =>
  new Problem('rate_limited', message, { headers: { 'Retry-After': String(wait) } });

/** Counts by the person that the access token is about; requests without a valid token by address. */
export const limitBySubject = (policy: Policy): Step =>
  limitBy(policy, (exchange) => {
    const subject = exchange.get(accessSlot)?.claims.sub;
    return subject === undefined ? ['address', addressOf(exchange)] : ['subject', subject];
  });

/**
 * Answers with claims about the person, as far as the scopes go.
 * @see OIDC Core §5.3, §5.4, RFC 6750 §2.1, §2.2, §3.1
 */
export const answerUserinfo: Step = async (exchange) => {
  const live = exchange.get(accessSlot);
  if (!live) throw exchange.require(refusalSlot);
  const scopes = live.claims.scope.split(' ');
  if (!scopes.includes('openid')) {
    const description = 'This needs the scope openid';
    const value = challenge({ ...placeOf(exchange), error: 'insufficient_scope', description, scopes: ['openid'] });
    throw new Problem('insufficient_scope', description, { headers: { 'WWW-Authenticate': value } });
  }
  exchange.reply = { status: 200, body: claimsOf(live.person, scopes) };
};

/** One way of sending the token, not two. Without any there is no anonymous profile, only a challenge. @see RFC 6750 §2, §3 */
async function tokenOf(exchange: Exchange): Promise<string> {
  const { request } = exchange;
  const inForm = request.method === 'POST' && isForm(request) ? await readForm(request) : undefined;
  if (inForm?.repeated([]) !== undefined) throw invalidRequest(exchange, 'A parameter occurs more than once');
  const posted = inForm?.get('access_token');
  const inHeader = headerToken(exchange);
  if (posted !== undefined && inHeader !== undefined)
    throw invalidRequest(exchange, 'The access token is sent in two ways; use one');
  const token = inHeader ?? posted;
  if (token !== undefined) return token;
  throw new Problem('invalid_token', 'This needs an access token', {
    headers: { 'WWW-Authenticate': challenge(placeOf(exchange)) },
  });
}

function headerToken(exchange: Exchange): string | undefined {
  try {
    return bearerToken(exchange.request);
  } catch (error) {
    if (error instanceof InvalidToken) throw invalidToken(exchange, error.description);
    if (error instanceof TokenInQuery) throw invalidRequest(exchange, error.message);
    throw error;
  }
}

const refusal = (error: 'invalid_token' | 'invalid_request', exchange: Exchange, description: string): Problem => {
  const value = challenge({ ...placeOf(exchange), error, description });
  return new Problem(error, description, { headers: { 'WWW-Authenticate': value } });
};

const invalidToken = (exchange: Exchange, description: string): Problem =>
  refusal('invalid_token', exchange, description);

/** @see RFC 6750 §3: what opens nothing is answered with a challenge, also when it is malformed */
const invalidRequest = (exchange: Exchange, description: string): Problem =>
  refusal('invalid_request', exchange, description);

/** A claim that an account knows nothing for is left out. @see OIDC Core §5.1, §5.3.2 */
const claimsOf = ({ id, name, locale, email, emailVerified, updated }: KnownAccount, scopes: readonly string[]) => ({
  sub: id,
  ...(scopes.includes('profile')
    ? { name, ...(locale === null ? {} : { locale }), updated_at: Math.floor(Date.parse(updated) / 1000) }
    : {}),
  ...(scopes.includes('email') ? { email, email_verified: emailVerified } : {}),
});
