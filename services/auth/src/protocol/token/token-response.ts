import type { Grant } from '../../domain/grants/grant.ts';
import { lifetimes } from '../../domain/lifetimes.ts';
import { newAccessToken } from '../../domain/tokens/access-token.ts';
import { newIdToken } from '../../domain/tokens/id-token.ts';
import type { Exchange } from '../../http/exchange/exchange.ts';
import { clientSlot } from '../clients/requesting-client.ts';

/** What was given out. */
export interface IssuedTokens {
  readonly id: string;
  readonly grant: Grant;
  readonly audience: readonly string[];
  readonly scopes: readonly string[];
  readonly role: Parameters<typeof newAccessToken>[2]['role'];
  readonly jti: string;
  readonly refreshToken: string | undefined;
  readonly nonce: string | undefined;
  /** Seconds since the epoch. */
  readonly now: number;
}

/** The body of a token response. */
export interface TokenBody {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds. */
  readonly expires_in: number;
  readonly refresh_token?: string;
  readonly scope: string;
  readonly id_token?: string;
}

/** Signs what was given out; `scope` always says what was granted. @see RFC 6749 §5.1, OIDC Core §3.1.3.3 */
export async function makeTokens(exchange: Exchange, given: IssuedTokens): Promise<TokenBody> {
  const { ports, school } = exchange;
  const { grant, nonce, now, scopes, refreshToken } = given;
  const accessToken = await newAccessToken(ports, school, given);
  const alg = exchange.require(clientSlot).metadata.id_token_signed_response_alg;
  const idToken = scopes.includes('openid')
    ? await newIdToken(ports, school, { grant, alg, accessToken, nonce, now })
    : undefined;
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: lifetimes.accessToken,
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    scope: scopes.join(' '),
    ...(idToken === undefined ? {} : { id_token: idToken }),
  };
}

/** Answers with tokens. */
export function answerTokens(exchange: Exchange, body: TokenBody): void {
  exchange.reply = { status: 200, body };
}
