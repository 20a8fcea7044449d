import { createHash, randomBytes } from 'node:crypto';

/** A client with a secret, registered at an authorization server. */
export interface RegisteredClient {
  readonly redirectUri: string;
  readonly client_id: string;
  readonly client_secret: string;
}

/** What every client asks for. */
export const scope = 'openid profile email courses:read';

/** An authorization request of a client, as a query, and the secret that redeems its code. */
export function authorizationRequest(
  { client_id, redirectUri }: Omit<RegisteredClient, 'client_secret'>,
  scopes = scope,
) {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: redirectUri,
    scope: scopes,
    state: 'measured',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return { query: query.toString(), verifier };
}

/** What a client says of itself when it registers. */
export const registration = (redirectUri: string, idTokenAlg: 'ES256' | 'RS256') => ({
  client_name: 'Measured',
  application_type: redirectUri.startsWith('https:') ? 'web' : 'native',
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'client_secret_post',
  id_token_signed_response_alg: idTokenAlg,
});
