import { findAccount } from '../../domain/accounts/account-registry.ts';
import type { ClientMetadata } from '../../domain/clients/client.events.ts';
import { acr, looksLikeJwt } from '../../domain/tokens/access-token.ts';
import { liveAccess, liveRefresh } from '../../domain/tokens/live-token.ts';
import type { Exchange, Step } from '../../http/exchange/exchange.ts';
import { parametersSlot } from '../../http/exchange/parameters.ts';
import { clientSlot } from '../clients/requesting-client.ts';

/**
 * Tells a client about its own tokens, and the server of an API about the access tokens that are meant for it. Of a token
 * that is dead, unknown or none of the caller's business it says only that it is not active.
 * @see RFC 7662 §2.1, §2.2, §4
 */
export const introspectToken: Step = async (exchange) => {
  const token = exchange.require(parametersSlot).require('token');
  const facts = looksLikeJwt(token) ? await accessFacts(exchange, token) : await refreshFacts(exchange, token);
  exchange.reply = { status: 200, body: facts ? { active: true, ...facts } : { active: false } };
};

type Facts = Readonly<Record<string, unknown>>;

async function accessFacts(exchange: Exchange, token: string): Promise<Facts | undefined> {
  const live = await liveAccess(exchange.ports, exchange.school, token);
  const caller = exchange.require(clientSlot);
  if (!live || (live.grant.client !== caller.id && !serves(caller.metadata, live.claims.aud))) return undefined;
  const { scope, client_id, exp, iat, sub, aud, iss, jti, auth_time, acr, sid } = live.claims;
  const username = await usernameOf(exchange, sub, scope);
  return { scope, client_id, ...username, token_type: 'Bearer', exp, iat, sub, aud, iss, jti, auth_time, acr, sid };
}

/** The caller is what counts, not the client of the token: the resources are its own. @see RFC 7662 §4 */
const serves = ({ resources = [] }: ClientMetadata, aud: string | readonly string[]): boolean =>
  [aud].flat().some((each) => resources.includes(each));

async function refreshFacts(exchange: Exchange, token: string): Promise<Facts | undefined> {
  const live = await liveRefresh(exchange.ports, exchange.school, token);
  if (live?.grant.client !== exchange.require(clientSlot).id) return undefined;
  const { client, account, audience, authTime, scopes, sid, issued } = live.grant;
  const scope = scopes.join(' ');
  return {
    scope,
    client_id: client,
    ...(await usernameOf(exchange, account, scope)),
    exp: live.expires,
    iat: issued,
    sub: account,
    aud: audience.length === 1 ? audience[0] : audience,
    iss: exchange.school.issuer,
    auth_time: authTime,
    acr,
    sid,
  };
}

/** A name for people to read; only where the grant shows the e-mail address anyway. */
async function usernameOf(exchange: Exchange, account: string, scope: string): Promise<Facts> {
  if (!scope.split(' ').includes('email')) return {};
  const person = await findAccount(exchange.ports, exchange.school.id, account);
  return person ? { username: person.email } : {};
}
