import { type Landed, type Person, call } from '@lyceum/testkit';
import { createHash, randomBytes } from 'node:crypto';

/** A client as the server knows it. */
export interface WorldClient {
  readonly client_id: string;
  readonly client_secret?: string;
}

/** Tokens of the public client, with `openid profile`. */
interface WorldTokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
}

/** One server with the same furniture as the other: two public clients and a confidential one. */
export interface World {
  readonly url: string;
  readonly client: WorldClient;
  readonly stranger: WorldClient;
  readonly confidential: WorldClient;
  /** A code that the public client may redeem, and what redeems it. */
  code(scope?: string): Promise<Record<string, string>>;
  tokens(scope?: string): Promise<WorldTokens>;
}

export const redirectUri = 'http://127.0.0.1:53682/callback';

/** Signs a person in and agrees to everything, whatever the pages of the server look like. */
type Approve = (url: URL) => Promise<Landed>;

const newVerifier = () => randomBytes(32).toString('base64url');
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

/** The authorization request that both servers would serve, with changes; undefined takes a parameter away. */
export function requestOf(
  { client, url }: Pick<World, 'client' | 'url'>,
  changes: Readonly<Record<string, string | readonly string[] | undefined>> = {},
): URL {
  const parameters = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: 'openid profile',
    state: 'st/ä+te',
    code_challenge: challengeOf('v'.repeat(43)),
    code_challenge_method: 'S256',
    ...changes,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    for (const each of value === undefined ? [] : [value].flat()) query.append(name, each as string);
  return new URL(`/oauth/authorize?${query}`, url);
}

/** Furnishes a server. */
export async function furnish(
  url: string,
  newPerson: () => Person,
  approve: (person: Person) => Approve,
): Promise<World> {
  const register = async (metadata: object): Promise<WorldClient> => {
    const json = { application_type: 'native', redirect_uris: [redirectUri], ...metadata };
    const full = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'], ...json };
    const { status, body } = await call(`${url}/api/oauth/register`, { json: full });
    if (status !== 201) throw new Error(`registration answered ${status}: ${JSON.stringify(body)}`);
    return body as WorldClient;
  };
  const client = await register({ token_endpoint_auth_method: 'none' });
  const stranger = await register({ token_endpoint_auth_method: 'none' });
  const confidential = await register({ token_endpoint_auth_method: 'client_secret_post' });
  const code = async (scope = 'openid profile') => {
    const code_verifier = newVerifier();
    const asked = requestOf({ client, url }, { scope, code_challenge: challengeOf(code_verifier) });
    const { left, status, text } = await approve(newPerson())(asked);
    const given = left?.searchParams.get('code');
    if (!given) throw new Error(`no code: ${left?.href ?? `${status} ${text.slice(0, 300)}`}`);
    return {
      grant_type: 'authorization_code',
      code: given,
      redirect_uri: redirectUri,
      client_id: client.client_id,
      code_verifier,
    };
  };
  const tokens = async (scope?: string) => {
    const form = new URLSearchParams(await code(scope));
    const response = await fetch(`${url}/api/oauth/token`, { method: 'POST', body: form });
    return (await response.json()) as WorldTokens;
  };
  return { url, client, stranger, confidential, code, tokens };
}
