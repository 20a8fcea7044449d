import { Problem } from '@lyceum/web';
import type { KnownClient } from '../../domain/clients/client-registry.ts';
import { DocumentRefused } from '../../domain/clients/documents/document-clients.ts';
import { hasLiveGrant } from '../../domain/grants/grant.projection.ts';
import { seconds } from '../../domain/write.ts';
import { type Exchange, type Step, refusing } from '../../http/exchange/exchange.ts';
import { parametersSlot } from '../../http/exchange/parameters.ts';
import { sameText, sha256 } from '../../sealing/digest.ts';
import { provesClient, subjectOf } from './client-assertion.ts';
import { type Credentials, readCredentials } from './client-credentials.ts';
import { presentsAccess } from './presented-access.ts';
import { clientSlot } from './requesting-client.ts';
import { resolveClient } from './resolve-client.ts';

/** One sentence for all that may be wrong: an attacker must not learn which of it is. */
const refusal =
  'Client authentication failed: the client_id is unknown at this school, its secret or assertion is wrong, or it authenticates in another way than its token_endpoint_auth_method says';

const unnamed = 'client_id is missing: send it in the form, or the client id and secret by HTTP Basic';

const refused = (exchange: Exchange, description = refusal) => {
  const { authorization } = exchange.request.headers;
  const headers = authorization === undefined ? {} : { 'WWW-Authenticate': `Basic realm="${exchange.school.issuer}"` };
  return new Problem('invalid_client', description, { headers });
};

/**
 * Finds out which client asks, by the one method that it registered: a public one by its `client_id`, others also by a
 * secret or a signed assertion. A request that names no client gets an error of its own; every other failure looks the same. None
 * changes anything.
 * @see RFC 6749 §2.3, §3.2.1, §5.2, RFC 7523 §3
 */
export const authenticateClient: Step = refusing(['invalid_client'], async (exchange) => {
  const credentials = readCredentials(exchange.request, exchange.require(parametersSlot));
  if (credentials.by === 'unreadable') throw refused(exchange);
  if (credentials.by !== 'private_key_jwt' && credentials.id === undefined) throw refused(exchange, unnamed);
  const client = await found(exchange, nameIn(credentials));
  if (!client || client.disabled || client.metadata.token_endpoint_auth_method !== credentials.by)
    throw refused(exchange);
  if (!(await provesIdentity(exchange, client, credentials))) throw refused(exchange);
  exchange.set(clientSlot, client);
});

type Readable = Exclude<Credentials, { readonly by: 'unreadable' }>;

/** An assertion names the client, too; a `client_id` beside it must be the same. @see RFC 7521 §4.2 */
function nameIn(credentials: Readable): string | undefined {
  if (credentials.by !== 'private_key_jwt') return credentials.id;
  const subject = subjectOf(credentials.assertion);
  return credentials.id === undefined || credentials.id === subject ? subject : undefined;
}

/**
 * A document that cannot be used describes nobody, and none is fetched for somebody who shows nothing that was given to
 * the client: nothing is known yet of who asks.
 */
async function found(exchange: Exchange, id: string | undefined): Promise<KnownClient | undefined> {
  const { ports, school } = exchange;
  try {
    return await resolveClient(ports, school.id, id, {
      isTrusted: () => isTrusted(exchange, id),
      meetsStrangers: false,
    });
  } catch (error) {
    if (error instanceof DocumentRefused) return undefined;
    throw error;
  }
}

/** Whether a person of the school has dealt with this client, by what the request shows or by a grant that still counts. */
const isTrusted = async (exchange: Exchange, id: string | undefined): Promise<boolean> =>
  id !== undefined &&
  ((await presentsAccess(exchange, id)) ||
    hasLiveGrant(exchange.ports.documents, exchange.school.id, id, seconds(exchange.ports.clock)));

async function provesIdentity(exchange: Exchange, client: KnownClient, credentials: Readable): Promise<boolean> {
  const { ports, school } = exchange;
  if (credentials.by === 'none') return true;
  if (credentials.by === 'private_key_jwt') {
    // A registered client was admitted by a person or an operator; a document may name any address for its keys.
    const mayAsk = async () => client.kind !== 'document' || isTrusted(exchange, client.id);
    return provesClient(ports, school, client, credentials.assertion, mayAsk);
  }
  return knowsSecret(client, credentials.secret, seconds(ports.clock));
}

/** Compares with every secret that is valid now, so that the time reveals nothing. */
const knowsSecret = ({ secrets }: KnownClient, given: string, now: number): boolean => {
  const hash = sha256(given);
  return secrets
    .map((secret) => sameText(secret.hash, hash) && now < (secret.until ?? Infinity))
    .some((matches) => matches);
};
