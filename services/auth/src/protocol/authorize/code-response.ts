import type { Scope } from '@lyceum/contracts';
import { isRejection } from '@lyceum/kernel';
import { withParameters } from '../../domain/clients/redirect-uri.ts';
import { storeCode } from '../../domain/grants/authorization-codes.ts';
import { grantDecider } from '../../domain/grants/grant.ts';
import { sessionDecider } from '../../domain/sessions/session.ts';
import { sessionStream, requireStream } from '../../domain/streams.ts';
import { seconds, write } from '../../domain/write.ts';
import type { Exchange, Reply } from '../../http/exchange/exchange.ts';
import { parametersSlot } from '../../http/exchange/parameters.ts';
import { accountSlot, sessionSlot } from '../../http/session/browser-session.ts';
import { clientSlot } from '../clients/requesting-client.ts';
import { authorizationRequestSlot } from './authorization-request.ts';
import { redirectUriSlot } from './redirect-target.ts';

/**
 * Records the grant and sends the browser back with a code for it.
 * @see RFC 6749 §4.1.2, RFC 9207 §2
 */
export async function issueCode(exchange: Exchange, scopes: readonly Scope[]): Promise<void> {
  const { ports, school, requestId } = exchange;
  const [client, account, signedIn] = [
    exchange.require(clientSlot),
    exchange.require(accountSlot),
    exchange.require(sessionSlot),
  ];
  const { challenge, nonce, resource } = exchange.require(authorizationRequestSlot);
  const redirectUri = exchange.require(redirectUriSlot);
  const id = ports.ids.next('grant');
  const target = {
    school: school.id,
    stream: requireStream('grant', id),
    meta: { actor: account.id, client: client.id, correlation: requestId },
  };
  const { sid, authTime, amr } = signedIn;
  const subject = { client: client.id, account: account.id, sid, authTime, amr };
  const done = await write(ports, grantDecider, target, {
    type: 'IssueGrant',
    ...subject,
    scopes,
    resource,
    now: seconds(ports.clock),
  });
  if (isRejection(done)) throw new Error(done.reason);
  await recordLogoutClient(exchange);
  const code = await storeCode(ports, school.id, { grant: id, client: client.id, redirectUri, challenge, nonce });
  exchange.reply = clientRedirect(exchange, { code });
}

/** Records that the client wants a notification of the sign-out, before it can have anything of the session. */
async function recordLogoutClient(exchange: Exchange): Promise<void> {
  const { id, metadata } = exchange.require(clientSlot);
  if (metadata.backchannel_logout_uri === undefined) return;
  const { ports, school, requestId } = exchange;
  const meta = { actor: exchange.require(accountSlot).id, client: id, correlation: requestId };
  const target = { school: school.id, stream: sessionStream(exchange.require(sessionSlot).hash), meta };
  const noted = await write(ports, sessionDecider, target, { type: 'ShareSession', client: id });
  if (isRejection(noted)) throw new Error(noted.reason);
}

/** The redirect back to the client, by a GET, with its state unaltered and the issuer. @see RFC 9700 §4.12, RFC 9207 §2 */
export function clientRedirect(exchange: Exchange, parameters: Readonly<Record<string, string>>): Reply {
  const state = exchange.require(parametersSlot).get('state');
  const location = withParameters(exchange.require(redirectUriSlot), {
    ...parameters,
    state,
    iss: exchange.school.issuer,
  });
  return {
    status: 303,
    headers: {
      Location: location,
      'Cache-Control': 'no-store',
      Pragma: 'no-cache',
      'Referrer-Policy': 'no-referrer',
    },
  };
}
