import type { Scope } from '@lyceum/contracts';
import { isRejection } from '@lyceum/kernel';
import { withParameters } from '../../domain/clients/redirect-uri.ts';
import type { Exchange } from '../../http/exchange/exchange.ts';
import { grant } from '../../domain/grants/grant.ts';
import { keepCode } from '../../domain/grants/authorization-codes.ts';
import { session } from '../../domain/sessions/session.ts';
import { sessionStream, streamOf } from '../../domain/streams.ts';
import { seconds, write } from '../../domain/write.ts';

/**
 * Records the grant and sends the browser back with a code for it.
 * @see RFC 6749 §4.1.2, RFC 9207 §2
 */
export async function issueCode(exchange: Exchange, scopes: readonly Scope[]): Promise<void> {
  const { ports, school, requestId } = exchange;
  const [client, account, signedIn] = [exchange.the('client'), exchange.the('account'), exchange.the('session')];
  const { challenge, nonce, resource } = exchange.the('request');
  const redirectUri = exchange.the('redirectUri');
  const id = ports.ids.next('grant');
  const target = {
    school: school.id,
    stream: streamOf('grant', id)!,
    meta: { actor: account.id, client: client.id, correlation: requestId },
  };
  const { sid, authTime, amr } = signedIn;
  const subject = { client: client.id, account: account.id, sid, authTime, amr };
  const done = await write(ports, grant, target, {
    type: 'issue',
    ...subject,
    scopes,
    resource,
    now: seconds(ports.clock),
  });
  if (isRejection(done)) throw new Error(done.reason);
  await noteLogoutClient(exchange);
  const code = await keepCode(ports, school.id, { grant: id, client: client.id, redirectUri, challenge, nonce });
  answerClient(exchange, { code });
}

/** Who wants to be told when the person signs out is noted before the client can have anything of the session. */
async function noteLogoutClient(exchange: Exchange): Promise<void> {
  const { id, metadata } = exchange.the('client');
  if (metadata.backchannel_logout_uri === undefined) return;
  const { ports, school, requestId } = exchange;
  const meta = { actor: exchange.the('account').id, client: id, correlation: requestId };
  const target = { school: school.id, stream: sessionStream(exchange.the('session').hash), meta };
  const noted = await write(ports, session, target, { type: 'share', client: id });
  if (isRejection(noted)) throw new Error(noted.reason);
}

/** Sends the browser back to the client, by a GET, with the state as it came and the name of this server. @see RFC 9700 §4.12, RFC 9207 §2 */
export function answerClient(exchange: Exchange, parameters: Readonly<Record<string, string>>): void {
  const state = exchange.the('parameters').get('state');
  const location = withParameters(exchange.the('redirectUri'), { ...parameters, state, iss: exchange.school.issuer });
  exchange.reply = {
    status: 303,
    headers: {
      Location: location,
      'Cache-Control': 'no-store',
      Pragma: 'no-cache',
      'Referrer-Policy': 'no-referrer',
    },
  };
}
