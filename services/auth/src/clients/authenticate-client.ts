import { Problem } from '@lyceum/web';
import type { Exchange, Step } from '../endpoint/exchange.ts';
import { sameText, sha256 } from '../sealing/digest.ts';
import { findClient } from './client-registry.ts';

const refused = (exchange: Exchange) => {
  const { authorization } = exchange.request.headers;
  const headers = authorization === undefined ? {} : { 'WWW-Authenticate': `Basic realm="${exchange.school.issuer}"` };
  return new Problem('invalid_client', 'Client authentication failed', { headers });
};

/**
 * Finds out which client asks: a public one by its `client_id`, a confidential one also by its secret in the body, and
 * each only by the method it registered. Every failure looks the same and changes nothing.
 * @see RFC 6749 §2.3, §3.2.1, §5.2
 */
export const authenticateClient: Step = async (exchange) => {
  const { request, ports, school } = exchange;
  const parameters = exchange.the('parameters');
  const [id, secret] = [parameters.get('client_id'), parameters.get('client_secret')];
  const basic = /^basic(?:\s|$)/i.test(request.headers.authorization ?? '');
  if (basic && secret !== undefined)
    throw new Problem('invalid_request', 'The client authenticates in two ways; use one');
  const client = basic ? undefined : await findClient(ports, school.id, id);
  if (!client) throw refused(exchange);
  const fits =
    client.secretHash === undefined
      ? secret === undefined
      : secret !== undefined && sameText(sha256(secret), client.secretHash);
  if (!fits) throw refused(exchange);
  exchange.know('client', client);
};
