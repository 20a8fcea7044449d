import * as oauth from 'oauth4webapi';
import type { TokenSource } from '../token-source.ts';
import { discover, sending } from './authorization-server.ts';
import type { KeptLogin, LoginStore } from './kept-login.ts';
import { keptOf } from './login.ts';

/** A token that ends so soon is replaced before it is used. Milliseconds. */
const margin = 10_000;

/**
 * The token of the person who is logged in at a school, refreshed when it ends or is refused. A refresh token is good for
 * one use, so however many requests need one, and in however many processes, it is used once. Undefined when nobody is
 * logged in, or not any more.
 * @see RFC 9700 §4.14.2
 */
export function storedTokens(address: string, store: LoginStore): TokenSource {
  const school = new URL(address);
  let refreshing: Promise<string | undefined> | undefined;
  const refreshed = async (refused: string | undefined): Promise<string | undefined> =>
    store.alone(async () => {
      const kept = await store.read(school.origin);
      if (!kept || isGood(kept, refused)) return kept?.access_token;
      const next = kept.refresh_token === undefined ? undefined : await refresh(school, kept, kept.refresh_token);
      await store.write(school.origin, next ?? { client_id: kept.client_id });
      return next?.access_token;
    });
  return async (refused) => {
    const kept = await store.read(school.origin);
    if (kept?.access_token === undefined || isGood(kept, refused)) return kept?.access_token;
    return (refreshing ??= refreshed(refused).finally(() => (refreshing = undefined)));
  };
}

const isGood = ({ access_token, expires_at = 0 }: KeptLogin, refused: string | undefined): boolean =>
  access_token !== undefined && access_token !== refused && expires_at - margin > Date.now();

/** New tokens; undefined when the school gives none for this refresh token any more. Throws when it does not answer. */
async function refresh(school: URL, kept: KeptLogin, token: string): Promise<KeptLogin | undefined> {
  const as = await discover(school);
  const client = { client_id: kept.client_id };
  const response = await oauth.refreshTokenGrantRequest(as, client, oauth.None(), token, sending(school));
  try {
    return keptOf(kept.client_id, await oauth.processRefreshTokenResponse(as, client, response), kept);
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant') return undefined;
    throw error;
  }
}
