import { oauthPaths } from '@lyceum/contracts';
import { type World, redirectUri, requestOf } from './world.ts';

/** A request that both servers get, each about its own clients, codes and tokens. */
export interface Compared {
  readonly name: string;
  send(world: World): Promise<Response>;
}

type Form = Readonly<Record<string, string>>;
type Make = (world: World) => Form | Promise<Form>;

const to = ({ url }: World, path: string, init: RequestInit) => fetch(`${url}${path}`, { redirect: 'manual', ...init });
const form = (fields: Form | readonly (readonly [string, string])[]): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(fields as Record<string, string>),
});
const json = (body: string): RequestInit => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body });

const row = (name: string, send: Compared['send']): Compared => ({ name, send });
const posts = (path: string, name: string, make: Make): Compared =>
  row(name, async (world) => to(world, path, form(await make(world))));

const registration = (name: string, changes: object): Compared =>
  row(`register: ${name}`, (world) => {
    const metadata = {
      application_type: 'native',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      ...changes,
    };
    return to(world, oauthPaths.register, json(JSON.stringify(metadata)));
  });
const rawRegistration = (name: string, init: RequestInit): Compared =>
  row(`register: ${name}`, (world) => to(world, oauthPaths.register, init));

const registrations: readonly Compared[] = [
  registration('a public native client', {}),
  registration('a confidential client', { token_endpoint_auth_method: 'client_secret_post' }),
  registration('an unknown member', { favourite_colour: 'blue' }),
  registration('no redirect_uris', { redirect_uris: undefined }),
  registration('an empty list of redirect_uris', { redirect_uris: [] }),
  registration('redirect_uris that are no list', { redirect_uris: redirectUri }),
  registration('a redirect URI with a fragment', { redirect_uris: [`${redirectUri}#x`] }),
  registration('a redirect URI that is no URI', { redirect_uris: ['nonsense'] }),
  registration('a fixed HTTPS callback', { redirect_uris: ['https://client.example/callback'] }),
  registration('an http callback off loopback', { redirect_uris: ['http://client.example/callback'] }),
  registration('a private scheme', { redirect_uris: ['com.example.app:/callback'] }),
  registration('an unknown authentication method', { token_endpoint_auth_method: 'shibboleth' }),
  registration('an unknown grant type', { grant_types: ['authorization_code', 'magic'] }),
  registration('the response type token', { response_types: ['token'] }),
  registration('an unknown application_type', { application_type: 'toaster' }),
  registration('an unknown scope', { scope: 'openid everything' }),
  rawRegistration('a list instead of an object', json('[]')),
  rawRegistration('broken JSON', json('{')),
  rawRegistration('a form instead of JSON', form({ redirect_uris: redirectUri })),
  rawRegistration('GET', { method: 'GET' }),
];

const authorization = (name: string, changes: Parameters<typeof requestOf>[1]): Compared =>
  row(`authorize: ${name}`, (world) => fetch(requestOf(world, changes), { redirect: 'manual' }));

const authorizations: readonly Compared[] = [
  authorization('no client_id', { client_id: undefined }),
  authorization('an unknown client_id', { client_id: 'client_00000000-0000-7000-8000-000000000000' }),
  authorization('no redirect_uri', { redirect_uri: undefined }),
  authorization('an unregistered redirect_uri', { redirect_uri: 'http://127.0.0.1:53682/other' }),
  authorization('another loopback name', { redirect_uri: 'http://localhost:53682/callback' }),
  authorization('another port, with prompt=none', { redirect_uri: 'http://127.0.0.1:1/callback', prompt: 'none' }),
  authorization('no response_type', { response_type: undefined }),
  authorization('response_type token', { response_type: 'token' }),
  authorization('response_type nonsense', { response_type: 'nonsense' }),
  authorization('no code_challenge', { code_challenge: undefined, code_challenge_method: undefined }),
  authorization('no code_challenge_method', { code_challenge_method: undefined }),
  authorization('code_challenge_method plain', { code_challenge_method: 'plain' }),
  authorization('a short code_challenge', { code_challenge: 'short' }),
  authorization('an unknown scope, with prompt=none', { scope: 'openid everything', prompt: 'none' }),
  authorization('a repeated scope', { scope: ['openid', 'profile'] }),
  authorization('prompt=none without a session', { prompt: 'none' }),
  authorization('prompt=none login', { prompt: 'none login' }),
  authorization('an unknown prompt', { prompt: 'dance' }),
  authorization('max_age that is no number', { max_age: 'soon' }),
  authorization('a negative max_age', { max_age: '-1' }),
  authorization('a request object', { request: 'e30.e30.' }),
  authorization('a request_uri', { request_uri: 'https://client.example/request' }),
  authorization('registration', { registration: '{}' }),
  authorization('response_mode fragment', { response_mode: 'fragment', prompt: 'none' }),
  authorization('an unknown response_mode', { response_mode: 'pigeon' }),
  authorization('an id_token_hint that is none', { id_token_hint: 'x.y.z' }),
  authorization('a foreign resource', { resource: 'https://api.evil.test/' }),
  authorization('a resource with a fragment', { resource: 'https://api.evil.test/#x' }),
  authorization('no state, with prompt=none', { state: undefined, prompt: 'none' }),
  row('authorize: by POST, with prompt=none', (world) =>
    to(world, oauthPaths.authorize, { method: 'POST', body: requestOf(world, { prompt: 'none' }).searchParams }),
  ),
  row('authorize: PUT', (world) => fetch(requestOf(world), { method: 'PUT', redirect: 'manual' })),
];

const token = (name: string, make: Make): Compared => posts(oauthPaths.token, `token: ${name}`, make);
const known = ({ client }: World): Form => ({ client_id: client.client_id });
const byCode =
  (changes: Form): Make =>
  (world) => ({
    grant_type: 'authorization_code',
    code: 'nonsense',
    redirect_uri: redirectUri,
    code_verifier: 'v'.repeat(43),
    ...known(world),
    ...changes,
  });
const redeeming =
  (changes: Form | ((world: World) => Form)): Make =>
  async (world) => ({ ...(await world.code()), ...(typeof changes === 'function' ? changes(world) : changes) });
const refreshing =
  (changes: Form | ((world: World) => Form)): Make =>
  async (world) => ({
    grant_type: 'refresh_token',
    refresh_token: (await world.tokens('openid profile')).refresh_token,
    ...known(world),
    ...(typeof changes === 'function' ? changes(world) : changes),
  });

const tokens: readonly Compared[] = [
  token('a good code', redeeming({})),
  token('no grant_type', byCode({ grant_type: '' })),
  token('grant_type password', byCode({ grant_type: 'password' })),
  token('grant_type jwt-bearer', byCode({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' })),
  token('no client', byCode({ client_id: '' })),
  token('an unknown client', byCode({ client_id: 'client_00000000-0000-7000-8000-000000000000' })),
  token('a secret from a public client', byCode({ client_secret: 'x' })),
  token('a wrong secret', ({ confidential }) => ({
    grant_type: 'refresh_token',
    refresh_token: 'x',
    client_id: confidential.client_id,
    client_secret: 'wrong',
  })),
  token('no secret from a confidential client', ({ confidential }) => ({
    grant_type: 'refresh_token',
    refresh_token: 'x',
    client_id: confidential.client_id,
  })),
  row('token: Basic from a client_secret_post client', (world) => {
    const { client_id, client_secret } = world.confidential;
    return to(world, oauthPaths.token, {
      ...form({ grant_type: 'refresh_token', refresh_token: 'x' }),
      headers: { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` },
    });
  }),
  token('no code', byCode({ code: '' })),
  token('an unknown code', byCode({})),
  token('no redirect_uri', redeeming({ redirect_uri: '' })),
  token('another redirect_uri', redeeming({ redirect_uri: 'http://127.0.0.1:53682/other' })),
  token('another port', redeeming({ redirect_uri: 'http://127.0.0.1:53683/callback' })),
  token('no code_verifier', redeeming({ code_verifier: '' })),
  token('a wrong code_verifier', redeeming({ code_verifier: 'w'.repeat(43) })),
  token('a malformed code_verifier', redeeming({ code_verifier: 'short' })),
  token(
    'a code of another client',
    redeeming(({ stranger }) => ({ client_id: stranger.client_id })),
  ),
  row('token: a code for the second time', async (world) => {
    const fields = await world.code();
    await to(world, oauthPaths.token, form(fields));
    return to(world, oauthPaths.token, form(fields));
  }),
  token('a foreign resource', redeeming({ resource: 'https://api.evil.test/' })),
  token('a good refresh token', refreshing({})),
  token('no refresh_token', refreshing({ refresh_token: '' })),
  token('an unknown refresh token', refreshing({ refresh_token: 'nonsense' })),
  token(
    'a refresh token of another client',
    refreshing(({ stranger }) => ({ client_id: stranger.client_id })),
  ),
  token('more scopes at a refresh', refreshing({ scope: 'openid profile email' })),
  row('token: a repeated parameter', (world) =>
    to(world, oauthPaths.token, form([...Object.entries(known(world)), ['grant_type', 'a'], ['grant_type', 'b']])),
  ),
  row('token: JSON instead of a form', (world) => to(world, oauthPaths.token, json(JSON.stringify(known(world))))),
  row('token: GET', (world) => to(world, oauthPaths.token, { method: 'GET' })),
];

const bearer = (value: string): RequestInit => ({ headers: { authorization: `Bearer ${value}` } });
const profile = (name: string, make: (world: World) => RequestInit | Promise<RequestInit>): Compared =>
  row(`userinfo: ${name}`, async (world) => to(world, oauthPaths.userinfo, await make(world)));

const profiles: readonly Compared[] = [
  profile('a good token', async (world) => bearer((await world.tokens()).access_token)),
  profile('a good token in a form', async (world) => form({ access_token: (await world.tokens()).access_token })),
  profile('a token in header and form', async (world) => {
    const { access_token } = await world.tokens();
    return { ...form({ access_token }), ...bearer(access_token) };
  }),
  row('userinfo: a token in the query', async (world) =>
    to(world, `${oauthPaths.userinfo}?access_token=${(await world.tokens()).access_token}`, {}),
  ),
  profile('no token', () => ({})),
  profile('a token that is none', () => bearer('nonsense')),
  profile('an ID token', async (world) => bearer((await world.tokens()).id_token)),
  profile('another scheme', () => ({ headers: { authorization: 'Basic eDp5' } })),
  profile('an empty token', () => ({ headers: { authorization: 'Bearer' } })),
  profile('DELETE', () => ({ method: 'DELETE' })),
];

const about = (path: string, name: string, make: Make): Compared =>
  posts(path, `${path === oauthPaths.revoke ? 'revoke' : 'introspect'}: ${name}`, make);
const aboutTokens = (path: string): readonly Compared[] => [
  about(path, 'an access token', async (world) => ({ token: (await world.tokens()).access_token, ...known(world) })),
  about(path, 'a refresh token', async (world) => ({ token: (await world.tokens()).refresh_token, ...known(world) })),
  about(path, 'a refresh token under a wrong hint', async (world) => ({
    token: (await world.tokens()).refresh_token,
    token_type_hint: 'access_token',
    ...known(world),
  })),
  about(path, 'an unknown token', (world) => ({ token: 'nonsense', ...known(world) })),
  about(path, 'no token', known),
  about(path, 'no client', () => ({ token: 'nonsense' })),
  about(path, 'a refresh token of another client', async (world) => ({
    token: (await world.tokens()).refresh_token,
    client_id: world.stranger.client_id,
  })),
  about(path, 'a wrong secret', ({ confidential }) => ({
    token: 'nonsense',
    client_id: confidential.client_id,
    client_secret: 'wrong',
  })),
];

/** Every request that is compared. */
export const comparedRequests: readonly Compared[] = [
  ...registrations,
  ...authorizations,
  ...tokens,
  ...profiles,
  ...aboutTokens(oauthPaths.revoke),
  ...aboutTokens(oauthPaths.introspect),
];
