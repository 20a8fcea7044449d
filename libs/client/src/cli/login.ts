import * as oauth from 'oauth4webapi';
import { discover, sending } from './authorization-server.ts';
import type { KeptLogin, LoginStore } from './kept-login.ts';
import { listenForReturn } from './loopback.ts';

/** How a program logs a person in. */
export interface LoginOptions {
  /** The school's address. */
  readonly school: string;
  /** Space-separated. */
  readonly scope: string;
  readonly store: LoginStore;
  /** Shows the person the page, e.g. in their browser. */
  readonly open: (url: URL) => Promise<void> | void;
  /** What the consent page calls the program. */
  readonly clientName?: string;
  /** Milliseconds that the person gets. Default 5 minutes. */
  readonly patience?: number;
}

/**
 * Logs a person in by their browser: the program registers itself once, listens on 127.0.0.1, and keeps the tokens in the
 * store. Throws when the person refuses, or does not come back in time.
 * @see RFC 8252, RFC 7591, RFC 7636, RFC 9207
 */
export async function login(options: LoginOptions): Promise<void> {
  const { scope, store, open, clientName = 'Command line', patience = 300_000 } = options;
  const school = new URL(options.school);
  const as = await discover(school);
  const loopback = await listenForReturn(patience);
  try {
    const { redirectUri } = loopback;
    const known = (await store.read(school.origin))?.client_id;
    const client = { client_id: known ?? (await register(as, school, redirectUri, clientName)) };
    await store.write(school.origin, { ...(await store.read(school.origin)), ...client });
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const request = { scope, state, redirect_uri: redirectUri, ...client };
    await open(await authorizationUrl(as, request, verifier));
    const params = oauth.validateAuthResponse(as, client, await loopback.back, state);
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      oauth.None(),
      params,
      redirectUri,
      verifier,
      sending(school),
    );
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, response);
    await store.write(school.origin, keptOf(client.client_id, tokens));
  } finally {
    loopback.close();
  }
}

async function register(as: oauth.AuthorizationServer, school: URL, redirectUri: string, name: string) {
  const metadata = {
    client_name: name,
    application_type: 'native',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
  };
  const response = await oauth.dynamicClientRegistrationRequest(as, metadata, sending(school));
  return (await oauth.processDynamicClientRegistrationResponse(response)).client_id;
}

async function authorizationUrl(
  as: oauth.AuthorizationServer,
  request: Readonly<Record<string, string>>,
  verifier: string,
): Promise<URL> {
  const url = new URL(as.authorization_endpoint!);
  url.search = new URLSearchParams({
    ...request,
    response_type: 'code',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString();
  return url;
}

/** What is kept of a token response. */
export const keptOf = (client_id: string, tokens: oauth.TokenEndpointResponse, before?: KeptLogin): KeptLogin => ({
  client_id,
  access_token: tokens.access_token,
  refresh_token: tokens.refresh_token ?? before?.refresh_token,
  expires_at: Date.now() + (tokens.expires_in ?? 300) * 1000,
});

/**
 * Logs out: the school revokes the tokens, the program forgets them and keeps its registration. Does nothing when nobody
 * is logged in; what the school says to it is not waited for twice.
 * @see RFC 7009
 */
export async function logout(school: string, store: LoginStore): Promise<void> {
  const url = new URL(school);
  const kept = await store.read(url.origin);
  if (!kept) return;
  await store.write(url.origin, { client_id: kept.client_id });
  const token = kept.refresh_token ?? kept.access_token;
  if (token === undefined) return;
  const as = await discover(url);
  const client = { client_id: kept.client_id };
  const response = await oauth.revocationRequest(as, client, oauth.None(), token, sending(url));
  await oauth.processRevocationResponse(response);
}
