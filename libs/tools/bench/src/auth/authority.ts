import { oauthPaths } from '@lyceum/contracts';
import { Pool } from 'undici';
import type { Usage } from '../measuring/process-usage.ts';
import { type RegisteredClient, authorizationRequest } from './registered-client.ts';

/** Requests that are on their way at once. */
export const connections = 16;

/** An answer: its status, its redirect, its body. */
export interface Answered {
  readonly status: number;
  readonly location: string | undefined;
  readonly etag: string | undefined;
  readonly text: string;
}

/** What a token endpoint gave. */
export interface GivenTokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** A code, and the secret that redeems it. */
export interface GivenCode {
  readonly code: string;
  readonly verifier: string;
}

/** Where an authorization server answers what. A path, or a whole address where another port answers. */
export type EndpointPaths = Readonly<Record<'authorize' | 'token' | 'introspect' | 'userinfo' | 'register', string>>;

/** Where an authorization server is, and who asks it. */
export interface Furnished {
  readonly origin: string;
  /** Ours when not given. */
  readonly paths?: EndpointPaths;
  /** What the server has used up to now, with all its processes. */
  usage(): Promise<Usage>;
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly client: RegisteredClient;
  /** Of browsers in which a person is signed in and has agreed to everything; they are used in turns. */
  readonly cookies: readonly string[];
  /** Gets a code where a cookie alone does not. */
  code?(): Promise<GivenCode>;
  stop(): Promise<unknown>;
}

const isOk = (status: number): boolean => status < 400;

/** A running authorization server with a client and a signed-in person, asked over connections that stay open. */
export class Authority {
  readonly #at: Furnished;
  /** By origin. */
  readonly #pools = new Map<string, Pool>();
  readonly paths: EndpointPaths;
  #turn = 0;

  constructor(at: Furnished) {
    this.#at = at;
    this.paths = at.paths ?? oauthPaths;
  }

  /** What the server has used up to now. */
  usage(): Promise<Usage> {
    return this.#at.usage();
  }

  get client(): RegisteredClient {
    return this.#at.client;
  }

  /** Sends a request. Throws for an answer from 400 on: what is measured must not fail. */
  async ask(
    method: 'GET' | 'POST',
    address: string,
    headers: Readonly<Record<string, string>> = {},
    body?: string,
  ): Promise<Answered> {
    const { origin, path } = address.startsWith('/') ? { origin: this.#at.origin, path: address } : partsOf(address);
    const answer = await this.#pool(origin).request({
      method,
      path,
      headers: { ...this.#at.headers, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.body.text();
    const { location, etag } = answer.headers;
    if (!isOk(answer.statusCode)) throw new Error(`${method} ${address} answered ${answer.statusCode}: ${text}`);
    return { status: answer.statusCode, location: location as string, etag: etag as string, text };
  }

  /** Sends a form with the client's secret. */
  async post<T>(address: string, form: Readonly<Record<string, string>>): Promise<T> {
    const { client_id, client_secret } = this.#at.client;
    const body = new URLSearchParams({ ...form, client_id, client_secret }).toString();
    const { text } = await this.ask('POST', address, { 'content-type': 'application/x-www-form-urlencoded' }, body);
    return JSON.parse(text) as T;
  }

  /** Gets a code for the signed-in person, without any page. */
  async code(): Promise<GivenCode> {
    const { cookies } = this.#at;
    if (this.#at.code) return this.#at.code();
    const { query, verifier } = authorizationRequest(this.#at.client);
    const cookie = cookies[(this.#turn += 1) % cookies.length]!;
    const { location } = await this.ask('GET', `${this.paths.authorize}?${query}`, { cookie });
    const code = location && new URL(location, this.#at.origin).searchParams.get('code');
    if (!code) throw new Error(`no code but ${location ?? 'a page'}`);
    return { code, verifier };
  }

  /** Redeems a code. */
  exchange({ code, verifier }: GivenCode): Promise<GivenTokens> {
    return this.post(this.paths.token, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.#at.client.redirectUri,
      code_verifier: verifier,
    });
  }

  /** Rotates a refresh token. */
  refresh(token: string): Promise<GivenTokens> {
    return this.post(this.paths.token, { grant_type: 'refresh_token', refresh_token: token });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()));
    await this.#at.stop();
  }

  #pool(origin: string): Pool {
    const known = this.#pools.get(origin);
    if (known) return known;
    const pool = new Pool(origin, { connections, pipelining: 1 });
    this.#pools.set(origin, pool);
    return pool;
  }
}

function partsOf(address: string): { readonly origin: string; readonly path: string } {
  const { origin, pathname, search } = new URL(address);
  return { origin, path: pathname + search };
}
