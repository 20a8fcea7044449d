import { isRejection } from '@lyceum/kernel';
import { Problem } from '@lyceum/web';
import { type KnownClient, findClient } from '../../domain/clients/client-registry.ts';
import { type ClientCommand, clientDecider as clients, isPresent, usesSecret } from '../../domain/clients/client.ts';
import { readClientMetadata } from '../../domain/clients/metadata/client-metadata.ts';
import { withoutNulls } from '../../domain/clients/metadata/metadata-fields.ts';
import { requireStream } from '../../domain/streams.ts';
import { seconds, write } from '../../domain/write.ts';
import { type Exchange, type Step, refusing } from '../../http/exchange/exchange.ts';
import { sameText, sha256 } from '../../sealing/digest.ts';
import { clientSlot } from '../clients/requesting-client.ts';
import { clientInformation } from './client-information.ts';
import { metadataSlot } from './register.ts';

/**
 * The caller holds the token of this registration. One that is wrong, another registration's, or of a client that is not
 * there any more is refused alike.
 * @see RFC 7592 §2, RFC 6750 §3
 */
export const authorizeManager: Step = refusing(['invalid_token'], async (exchange) => {
  const token = bearer(exchange);
  const client = await findClient(exchange.ports, exchange.school.id, namedIn(exchange.request.url));
  const expected = client?.registrationHash;
  if (!client || expected === undefined || !sameText(sha256(token), expected)) throw refused(' error="invalid_token"');
  exchange.set(clientSlot, client);
});

const refused = (parameters = '') =>
  new Problem('invalid_token', 'The registration access token is missing, wrong or of another client', {
    headers: { 'WWW-Authenticate': `Bearer${parameters}` },
  });

function bearer({ request: { headers } }: Exchange): string {
  const token = /^bearer +([\w\-.~+/]+=*)$/i.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) throw refused();
  return token;
}

/** The last segment of the path: ids of clients need no decoding. */
const namedIn = (url = ''): string => url.split('?', 1)[0]!.split('/').at(-1)!;

/** Answers with the registration as it is. @see RFC 7592 §2.1 */
export const answerClientInformation: Step = (exchange) => answer(exchange, exchange.require(clientSlot));

/**
 * Replaces the registration: what is left out goes back to its default, and the policy is that of a new one. A client
 * that takes up a secret gets a new one; its own choice of a secret is refused.
 * @see RFC 7592 §2.2
 */
export const updateRegistration: Step = refusing(
  ['invalid_redirect_uri', 'invalid_client_metadata', 'invalid_software_statement', 'outcome_unknown'],
  async (exchange) => {
    const { ports } = exchange;
    const client = exchange.require(clientSlot);
    const given = withoutNulls(exchange.require(metadataSlot));
    checkIdentity(given, client);
    const metadata = readClientMetadata(given, ports);
    const secret = usesSecret(metadata) && client.secrets.length === 0 ? ports.ids.secret() : undefined;
    const hash = secret === undefined ? {} : { secretHash: sha256(secret) };
    const state = await command(exchange, { type: 'UpdateClient', metadata, ...hash });
    if (!isPresent(state)) throw refused(' error="invalid_token"');
    answer(exchange, state, secret);
  },
);

const issuedByUs = ['registration_access_token', 'registration_client_uri', 'client_secret_expires_at'] as const;

/** @see RFC 7592 §2.2 */
function checkIdentity(given: Readonly<Record<string, unknown>>, { id, secrets }: KnownClient): void {
  const wrong = (description: string) => new Problem('invalid_client_metadata', description);
  if (given['client_id'] !== id) throw wrong('client_id must be there, and be that of the registration');
  for (const field of [...issuedByUs, 'client_id_issued_at'])
    if (given[field] !== undefined) throw wrong(`${field} must not be sent: it is issued, not registered`);
  const secret = given['client_secret'];
  if (secret === undefined) return;
  const hash = typeof secret === 'string' ? sha256(secret) : '';
  if (!secrets.slice(0, 1).some((current) => sameText(current.hash, hash)))
    throw wrong('client_secret must be the one that was issued: a client cannot choose its secret');
}

/** Deletes the registration, and with it all that the client was granted. @see RFC 7592 §2.3 */
export const deleteRegistration: Step = refusing(['outcome_unknown'], async (exchange) => {
  await command(exchange, { type: 'DeleteClient', now: seconds(exchange.ports.clock) });
  exchange.reply = { status: 204 };
});

async function command(exchange: Exchange, asked: ClientCommand) {
  const { ports, school, requestId } = exchange;
  const { id } = exchange.require(clientSlot);
  const meta = { actor: 'client', client: id, correlation: requestId };
  const done = await write(ports, clients, { school: school.id, stream: requireStream('client', id), meta }, asked);
  if (!isRejection(done)) return done.state;
  // Between the look and the write another request deleted it.
  if (done.rejected === 'not_found') throw refused(' error="invalid_token"');
  throw new Problem('invalid_client_metadata', done.reason);
}

/** The token is known from the request only: what is kept is its hash. */
function answer(exchange: Exchange, client: Pick<KnownClient, 'metadata' | 'registered'>, secret?: string): void {
  const { id } = exchange.require(clientSlot);
  const body = clientInformation(exchange.school, { id, client, secret, registrationToken: bearer(exchange) });
  exchange.reply = { status: 200, body };
}
