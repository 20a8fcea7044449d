import { Problem } from '@lyceum/web';
import type { Exchange, Step } from '../endpoint/exchange.ts';
import { sameText, sha256 } from '../sealing/digest.ts';
import { seconds } from '../writing.ts';
import { readCredentials } from './client-credentials.ts';
import { type KnownClient, findClient } from './client-registry.ts';

const refused = (exchange: Exchange) => {
  const { authorization } = exchange.request.headers;
  const headers = authorization === undefined ? {} : { 'WWW-Authenticate': `Basic realm="${exchange.school.issuer}"` };
  return new Problem('invalid_client', 'Client authentication failed', { headers });
};

/**
 * Finds out which client asks, by the one method that it registered: a public one by its `client_id`, others also by a
 * secret or a signed assertion. Every failure looks the same and changes nothing.
 * @see RFC 6749 §2.3, §3.2.1, §5.2, RFC 7523 §3
 */
export const authenticateClient: Step = async (exchange) => {
  const credentials = readCredentials(exchange.request, exchange.the('parameters'));
  if (credentials.by === 'unreadable') throw refused(exchange);
  const client = await findClient(exchange.ports, exchange.school.id, credentials.id);
  if (!client || client.disabled || client.metadata.token_endpoint_auth_method !== credentials.by)
    throw refused(exchange);
  if ('secret' in credentials && !knows(client, credentials.secret, seconds(exchange.ports.clock)))
    throw refused(exchange);
  exchange.know('client', client);
};

/** Compares with every secret that is good now, so that the time tells nothing. */
const knows = ({ secrets }: KnownClient, given: string, now: number): boolean => {
  const hash = sha256(given);
  return secrets
    .map((secret) => sameText(secret.hash, hash) && now < (secret.until ?? Infinity))
    .some((matches) => matches);
};
