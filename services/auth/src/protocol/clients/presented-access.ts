import { findCode } from '../../domain/grants/authorization-codes.ts';
import { grantDecider, knowsRefresh } from '../../domain/grants/grant.ts';
import { readRefreshToken } from '../../domain/grants/refresh-token.ts';
import { streamOf } from '../../domain/streams.ts';
import { looksLikeJwt } from '../../domain/tokens/access-token.ts';
import { read } from '../../domain/write.ts';
import type { Exchange } from '../../http/exchange/exchange.ts';
import { parametersSlot } from '../../http/exchange/parameters.ts';

/**
 * Whether a request of a program carries a code or a token that was given to the client here, good or used up: what only
 * somebody has who dealt with a person of the school before.
 */
export async function presentsAccess(exchange: Exchange, client: string | undefined): Promise<boolean> {
  const parameters = exchange.require(parametersSlot);
  const code = parameters.get('code');
  if (code !== undefined && (await ownerOfCode(exchange, code)) === client) return true;
  const token = parameters.get('refresh_token') ?? parameters.get('token');
  return token !== undefined && client !== undefined && (await ownerOfToken(exchange, token)) === client;
}

async function ownerOfCode({ ports, school }: Exchange, code: string): Promise<string | undefined> {
  const found = await findCode(ports, school.id, code);
  if (found.state === 'dead') return undefined;
  return found.state === 'live' ? found.record.client : found.client;
}

async function ownerOfToken({ ports, school }: Exchange, token: string): Promise<string | undefined> {
  if (looksLikeJwt(token)) return (await ports.accessTokens(school, token))?.client_id;
  const presented = readRefreshToken(token);
  const known = presented && (await read(ports, grantDecider, school.id, streamOf('grant', presented.grant)));
  return known && knowsRefresh(known, presented.hash) ? known.client : undefined;
}
