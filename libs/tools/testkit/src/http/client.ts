import { createHash, randomBytes } from 'node:crypto';
import { loopbackFetch } from './loopback-fetch.ts';
import { type Landed, Person } from './person.ts';

/** What the token endpoint answered. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token?: string;
  readonly scope: string;
  readonly expires_in: number;
}

/** An authorization request on its way: the address to open, and the secret that redeems its code. */
export interface Started {
  readonly url: URL;
  readonly verifier: string;
}

/** A JSON answer with its status and headers. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read members of unknown bodies
  readonly body: any;
}

const jsonOf = async (response: Response): Promise<Answer> => {
  const text = await response.text();
  const json = /json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, body: json && text ? JSON.parse(text) : text };
};

/** Sends a JSON request, with a bearer token when given. */
export async function call(
  url: string,
  options: { method?: string; token?: string; json?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { method = options.json === undefined ? 'GET' : 'POST', token, json, headers } = options;
  return jsonOf(
    await loopbackFetch(url, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    }),
  );
}

/** Sends a form, as the OAuth endpoints want it. */
export async function post(url: string, form: Record<string, string>): Promise<Answer> {
  return jsonOf(await loopbackFetch(url, { method: 'POST', body: new URLSearchParams(form) }));
}

/** A public native client that registered itself at a school: what a developer's command-line tool does. */
export class Client {
  readonly baseUrl: string;
  readonly id: string;
  readonly redirectUri: string;
  /** Manages the registration (RFC 7592). */
  readonly registrationToken: string;

  private constructor(baseUrl: string, id: string, redirectUri: string, registrationToken: string) {
    this.baseUrl = baseUrl;
    this.id = id;
    this.redirectUri = redirectUri;
    this.registrationToken = registrationToken;
  }

  static async register(baseUrl: string, metadata: Record<string, unknown> = {}): Promise<Client> {
    const redirectUri = 'http://127.0.0.1:53682/callback';
    const json = { client_name: 'Test client', application_type: 'native', redirect_uris: [redirectUri], ...metadata };
    const { status, body } = await call(`${baseUrl}/api/oauth/register`, { json });
    if (status !== 201) throw new Error(`registration answered ${status}: ${JSON.stringify(body)}`);
    return new Client(baseUrl, body.client_id, redirectUri, body.registration_access_token);
  }

  /** A client that needs no registration: its id is the address of a document that describes it. */
  static known(baseUrl: string, id: string, redirectUri: string): Client {
    return new Client(baseUrl, id, redirectUri, '');
  }

  /** The authorization request for these scopes. */
  start(scope: string, more: Record<string, string> = {}): Started {
    const verifier = randomBytes(32).toString('base64url');
    const url = new URL('/oauth/authorize', this.baseUrl);
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: this.id,
      redirect_uri: this.redirectUri,
      scope,
      state: randomBytes(8).toString('hex'),
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...more,
    }).toString();
    return { url, verifier };
  }

  /** Redeems a code. */
  redeem(code: string, verifier: string, redirectUri = this.redirectUri): Promise<Answer> {
    return post(`${this.baseUrl}/api/oauth/token`, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: this.id,
      code_verifier: verifier,
    });
  }

  refresh(token: string, more: Record<string, string> = {}): Promise<Answer> {
    return post(`${this.baseUrl}/api/oauth/token`, {
      grant_type: 'refresh_token',
      refresh_token: token,
      client_id: this.id,
      ...more,
    });
  }

  revoke(token: string): Promise<Answer> {
    return post(`${this.baseUrl}/api/oauth/revoke`, { token, client_id: this.id });
  }

  /** The whole flow through the real pages: sign in, approve everything, redeem. */
  async tokens(email: string, password: string, scope: string, person = new Person()): Promise<Tokens> {
    const { url, verifier } = this.start(scope);
    const { status, body } = await this.redeem(codeOf(await approve(person, url, email, password)), verifier);
    if (status !== 200) throw new Error(`the token endpoint answered ${status}: ${JSON.stringify(body)}`);
    return body as Tokens;
  }
}

/** Opens the address, signs in where asked, approves every scope. */
export async function approve(person: Person, url: URL, email: string, password: string): Promise<Landed> {
  let page = await person.visit(url);
  if (/name="password"/.test(page.text)) page = await person.submit(page, { email, password });
  if (page.left) return page;
  return person.submit(page, { decision: 'approve' });
}

/** The code that a redirect to the client carries. */
export function codeOf({ left, status, text }: Landed): string {
  const code = left?.searchParams.get('code');
  if (!code) throw new Error(`no code: ${left?.href ?? `${status} ${text.slice(0, 500)}`}`);
  return code;
}
