import { oauthPaths } from '@lyceum/contracts';
import { createHash, randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import { usageOf } from '../measuring/process-usage.ts';

/** Requests that are on their way at once. */
export const connections = 16;

/** An answer: its status, its redirect, its body. */
export interface Answered {
  readonly status: number;
  readonly location: string | undefined;
  readonly etag: string | undefined;
  readonly text: string;
}

/** A client with a secret, registered at an authorization server. */
export interface RegisteredClient {
  readonly redirectUri: string;
  readonly client_id: string;
  readonly client_secret: string;
}

/** What a token endpoint gave. */
export interface GivenTokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Where an authorization server is, and who asks it. */
export interface Furnished {
  readonly origin: string;
  readonly pid: number;
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly client: RegisteredClient;
  /** Of a browser in which a person is signed in and has agreed to everything. */
  readonly cookie: string;
  stop(): Promise<unknown>;
}

/** What every client asks for. */
const scope = 'openid profile email courses:read';

const isOk = (status: number): boolean => status < 400;

/** A running authorization server with a client and a signed-in person, asked over connections that stay open. */
export class Authority {
  readonly #at: Furnished;
  readonly #pool: Pool;

  constructor(at: Furnished) {
    this.#at = at;
    this.#pool = new Pool(at.origin, { connections, pipelining: 1 });
  }

  /** What the server's process has used up to now. */
  usage = () => usageOf(this.#at.pid);

  get client(): RegisteredClient {
    return this.#at.client;
  }

  /** Sends a request. Throws for an answer from 400 on: what is measured must not fail. */
  async ask(
    method: 'GET' | 'POST',
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: string,
  ): Promise<Answered> {
    const answer = await this.#pool.request({
      method,
      path,
      headers: { ...this.#at.headers, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.body.text();
    const { location, etag } = answer.headers;
    if (!isOk(answer.statusCode)) throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`);
    return { status: answer.statusCode, location: location as string, etag: etag as string, text };
  }

  /** Sends a form with the client's secret. */
  async post<T>(path: string, form: Readonly<Record<string, string>>): Promise<T> {
    const { client_id, client_secret } = this.#at.client;
    const body = new URLSearchParams({ ...form, client_id, client_secret }).toString();
    const { text } = await this.ask('POST', path, { 'content-type': 'application/x-www-form-urlencoded' }, body);
    return JSON.parse(text) as T;
  }

  /** Gets a code for the signed-in person, without any page. */
  async code(): Promise<{ readonly code: string; readonly verifier: string }> {
    const { query, verifier } = authorizationRequest(this.#at.client);
    const { location } = await this.ask('GET', `${oauthPaths.authorize}?${query}`, { cookie: this.#at.cookie });
    const code = location && new URL(location, this.#at.origin).searchParams.get('code');
    if (!code) throw new Error(`no code but ${location ?? 'a page'}`);
    return { code, verifier };
  }

  /** Redeems a code. */
  exchange({ code, verifier }: { readonly code: string; readonly verifier: string }): Promise<GivenTokens> {
    return this.post(oauthPaths.token, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.#at.client.redirectUri,
      code_verifier: verifier,
    });
  }

  /** Rotates a refresh token. */
  refresh(token: string): Promise<GivenTokens> {
    return this.post(oauthPaths.token, { grant_type: 'refresh_token', refresh_token: token });
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
    await this.#at.stop();
  }
}

/** An authorization request of a client, as a query, and the secret that redeems its code. */
export function authorizationRequest({ client_id, redirectUri }: Omit<RegisteredClient, 'client_secret'>) {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: redirectUri,
    scope,
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
