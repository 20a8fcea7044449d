import { Problem } from '@lyceum/web';
import { type GrantCommand, grantDecider, knowsRefresh } from '../../domain/grants/grant.ts';
import { readRefreshToken } from '../../domain/grants/refresh-token.ts';
import { requireStream, streamOf } from '../../domain/streams.ts';
import { looksLikeJwt } from '../../domain/tokens/access-token.ts';
import { liveAccess } from '../../domain/tokens/live-token.ts';
import { read, seconds, write } from '../../domain/write.ts';
import { type Exchange, type Step, refusing } from '../../http/exchange/exchange.ts';
import { parametersSlot } from '../../http/exchange/parameters.ts';
import { clientSlot } from '../clients/requesting-client.ts';

/** The token is there; the hint, right, wrong or unknown, changes nothing. @see RFC 7009 §2.1 */
export const checkTokenParameter: Step = (exchange) => {
  if (exchange.require(parametersSlot).get('token') === undefined)
    throw new Problem('invalid_request', 'token is missing');
};

/**
 * Revokes a token of the client: a refresh token with its whole grant, an access token alone. Anything else (unknown,
 * expired, revoked before, another client's) changes nothing and is answered alike.
 * @see RFC 7009 §2.1, §2.2
 */
export const revokeToken: Step = refusing(['outcome_unknown'], async (exchange) => {
  const token = exchange.require(parametersSlot).require('token');
  if (looksLikeJwt(token)) await revokeAccess(exchange, token);
  else await revokeRefresh(exchange, token);
  exchange.reply = { status: 200 };
});

async function revokeAccess(exchange: Exchange, token: string): Promise<void> {
  const live = await liveAccess(exchange.ports, exchange.school, token);
  if (live?.grant.client !== exchange.require(clientSlot).id) return;
  await command(exchange, live.claims.gid, { type: 'RevokeToken', jti: live.claims.jti, expires: live.claims.exp });
}

/** A refresh token that was rotated also ends its grant: its sender wants the access to end. */
async function revokeRefresh(exchange: Exchange, token: string): Promise<void> {
  const { ports, school } = exchange;
  const presented = readRefreshToken(token);
  const known = presented && (await read(ports, grantDecider, school.id, streamOf('grant', presented.grant)));
  if (!presented || known?.client !== exchange.require(clientSlot).id || !knowsRefresh(known, presented.hash)) return;
  await command(exchange, presented.grant, {
    type: 'RevokeGrant',
    reason: 'revoked_by_client',
    now: seconds(ports.clock),
  });
}

async function command(exchange: Exchange, id: string, command: GrantCommand): Promise<void> {
  const { ports, school, requestId } = exchange;
  const client = exchange.require(clientSlot).id;
  const meta = { actor: 'system', client, correlation: requestId };
  await write(ports, grantDecider, { school: school.id, stream: requireStream('grant', id), meta }, command);
}
