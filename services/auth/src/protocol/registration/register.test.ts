import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { call } from '@lyceum/testkit';
import { type TestAuth, startAuth } from '../../testing/test-auth.ts';

let auth: TestAuth;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.close());

const redirect_uris = ['http://127.0.0.1:49152/callback'];
const register = (json: unknown) => call(`${auth.school.url}/api/oauth/register`, { json });
const send = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  fetch(`${auth.school.url}/api/oauth/register`, { method: 'POST', body, headers });

describe('POST /api/oauth/register', () => {
  test('RFC 7591 §3.2.1: a public client is answered 201 with all that is registered, defaults included', async () => {
    const { status, headers, body } = await register({ client_name: 'CLI', redirect_uris, unknown_field: 1 });
    expect(status).toBe(201);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('pragma')).toBe('no-cache');
    expect(body).toEqual({
      client_id: expect.stringMatching(/^client_/),
      client_id_issued_at: auth.clock.now() / 1000,
      registration_access_token: expect.stringMatching(/^[\w-]{43}$/),
      registration_client_uri: `${auth.school.url}/api/oauth/register/${body.client_id}`,
      client_name: 'CLI',
      application_type: 'native',
      redirect_uris,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: 'RS256',
    });
  });

  test('RFC 7591 §3.2.1: a confidential client gets a secret of 256 bits that never expires, kept as a hash only', async () => {
    const { body } = await register({ redirect_uris, token_endpoint_auth_method: 'client_secret_post' });
    expect(Buffer.from(body.client_secret, 'base64url')).toHaveLength(32);
    expect(body.client_secret_expires_at).toBe(0);
    const lane = auth.ports.log.laneOf(auth.school.id);
    const stored = JSON.stringify(await auth.ports.log.readLane(lane, 0, 1_000));
    expect(stored).toContain(body.client_id.slice('client_'.length));
    expect(stored).not.toContain(body.client_secret);
  });

  test('RFC 7591 §2: what a client states is registered as it is', async () => {
    const stated = {
      client_uri: 'https://tool.example',
      software_id: 'tool',
      software_version: '1.2',
      application_type: 'web',
      redirect_uris: ['http://localhost:1/cb', 'http://[::1]/cb'],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      scope: 'openid courses:read',
      id_token_signed_response_alg: 'ES256',
    };
    expect((await register(stated)).body).toMatchObject(stated);
  });

  test('OIDC Core §11: scopes that clients name out of habit are left out, not refused', async () => {
    expect((await register({ redirect_uris, scope: 'openid offline_access phone address' })).body.scope).toBe('openid');
  });

  test('null counts as left out', async () => {
    const { status, body } = await register({ redirect_uris, scope: null, client_name: null });
    expect([status, 'scope' in body, 'client_name' in body]).toEqual([201, false, false]);
  });

  test.each<[string, unknown]>([
    ['no list', undefined],
    ['an empty list', []],
    ['a text', redirect_uris[0]],
    ['an entry that is no text', [1]],
    ['an HTTPS address', ['https://app.example/cb']],
    ['an HTTPS address beside a loopback one', [...redirect_uris, 'https://app.example/cb']],
    ['HTTPS on loopback', ['https://127.0.0.1/cb']],
    ['http elsewhere', ['http://app.example/cb']],
    ['another spelling of loopback', ['http://127.1/cb']],
    ['userinfo', ['http://127.0.0.1@evil.test/cb']],
    ['a fragment', ['http://127.0.0.1/cb#']],
    ['a private scheme', ['com.example.app:/cb']],
    ['too many entries', Array.from({ length: 21 }, (_, at) => `http://127.0.0.1/${at}`)],
  ])('RFC 7591 §3.2.2: %s as redirect_uris is invalid_redirect_uri', async (_, uris) => {
    const { status, body } = await register({ redirect_uris: uris });
    expect([status, body.error]).toEqual([400, 'invalid_redirect_uri']);
  });

  test('RFC 8252 §8.3: localhost is taken by its name unless the installation says otherwise', async () => {
    const json = { redirect_uris: ['http://127.0.0.1/cb', 'http://localhost:3000/cb'] };
    const literal = { redirect_uris: ['http://127.0.0.1/cb', 'http://[::1]/cb'] };
    expect((await register(json)).status).toBe(201);
    const strict = await startAuth({ localhostRedirects: false });
    try {
      const url = `${strict.school.url}/api/oauth/register`;
      const [refused, taken] = [await call(url, { json }), await call(url, { json: literal })];
      expect([refused.status, refused.body.error, taken.status]).toEqual([400, 'invalid_redirect_uri', 201]);
    } finally {
      await strict.close();
    }
  });

  test.each<[string, Record<string, unknown>]>([
    ['client_secret_basic', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['private_key_jwt', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['an unknown application_type', { application_type: 'browser' }],
    ['an unknown scope', { scope: 'openid everything' }],
    ['a scope list', { scope: ['openid'] }],
    ['the implicit grant', { grant_types: ['implicit'] }],
    ['client credentials', { grant_types: ['authorization_code', 'client_credentials'] }],
    ['no authorization_code', { grant_types: ['refresh_token'] }],
    ['response type token', { response_types: ['token'] }],
    ['two response types', { response_types: ['code', 'id_token'] }],
    ['an HMAC ID token', { id_token_signed_response_alg: 'HS256' }],
    ['an unsigned ID token', { id_token_signed_response_alg: 'none' }],
    ['a name that is no text', { client_name: 5 }],
    ['a name with a line break', { client_name: 'a\nb' }],
    ['a long name', { client_name: 'a'.repeat(201) }],
    ['a script as home page', { client_uri: 'javascript:alert(1)' }],
  ])('RFC 7591 §3.2.2: %s is invalid_client_metadata', async (_, metadata) => {
    const { status, body } = await register({ redirect_uris, ...metadata });
    expect([status, body.error]).toEqual([400, 'invalid_client_metadata']);
  });

  test('RFC 7591 §3.2.2: a method that needs an operator is refused with those that do not', async () => {
    const { body } = await register({ redirect_uris, token_endpoint_auth_method: 'client_secret_basic' });
    expect(body.error_description).toContain('none or client_secret_post for a client that registers itself');
  });

  test('RFC 7591 §3.2.2: a software statement is refused by its own code', async () =>
    expect((await register({ redirect_uris, software_statement: 'e30.e30.' })).body.error).toBe(
      'invalid_software_statement',
    ));

  test.each([
    ['not JSON', '{', { 'content-type': 'application/json' }],
    ['a list', '[]', { 'content-type': 'application/json' }],
    ['a text', '"x"', { 'content-type': 'application/json' }],
    ['nothing', '', { 'content-type': 'application/json' }],
    ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['plain text', '{}', { 'content-type': 'text/plain' }],
  ])('RFC 7591 §3.1: a body that is %s is 400 invalid_request', async (_, body, headers) => {
    const response = await send(body, headers);
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([400, 'invalid_request']);
  });

  test('a body of more than 64 KiB is 413', async () => {
    const response = await send(JSON.stringify({ redirect_uris, client_name: 'a'.repeat(70_000) }));
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([413, 'payload_too_large']);
  });

  test('RFC 6749 §5.2: descriptions are printable ASCII without quotes and backslashes', async () => {
    const { body } = await register({ redirect_uris, client_name: '"\\' + 'é'.repeat(300) });
    expect(body.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  });
});

describe('every endpoint for programs', () => {
  const paths = ['register', 'token', 'revoke', 'introspect', 'userinfo', 'jwks'];

  test.each(paths)('%s answers another method with 405 and Allow', async (path) => {
    const response = await fetch(`${auth.school.url}/api/oauth/${path}`, { method: 'DELETE' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toMatch(/GET|POST/);
    expect(((await response.json()) as { error: string }).error).toBe('method_not_allowed');
  });

  test.each(paths)('RFC 9700 §2.6: %s may be called from any origin, without cookies', async (path) => {
    const url = `${auth.school.url}/api/oauth/${path}`;
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/Authorization/);
    const actual = await fetch(url, { method: 'POST', headers: { origin: 'https://a.example' } });
    expect(actual.headers.get('access-control-allow-origin')).toBe('*');
    expect(actual.headers.get('access-control-allow-credentials')).toBeNull();
    expect(actual.headers.get('access-control-expose-headers')).toMatch(/WWW-Authenticate/);
  });

  test.each(['token', 'revoke', 'introspect'])('RFC 6749 §3.2: %s refuses a repeated parameter', async (path) => {
    const response = await fetch(`${auth.school.url}/api/oauth/${path}`, {
      method: 'POST',
      body: new URLSearchParams([
        ['client_id', 'a'],
        ['client_id', 'a'],
      ]),
    });
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([400, 'invalid_request']);
  });

  test.each(['token', 'revoke', 'introspect'])('RFC 6749 §3.2: %s takes a form and nothing else', async (path) => {
    const { status, body } = await call(`${auth.school.url}/api/oauth/${path}`, { json: { client_id: 'a' } });
    expect([status, body.error]).toEqual([400, 'invalid_request']);
  });

  test('an unknown path is a JSON 404', async () => {
    const { status, body } = await call(`${auth.school.url}/api/oauth/identity`);
    expect([status, body.error]).toEqual([404, 'not_found']);
  });

  test('a school whose facts have not arrived yet is 503 with Retry-After', async () => {
    const response = await fetch(`${auth.school.url}/api/oauth/jwks`, { headers: { 'x-school-id': 'school_unknown' } });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  });

  test('RFC 7517 §4: the key set holds public members only, with kid, use and alg', async () => {
    const { status, headers, body } = await call(`${auth.school.url}/api/oauth/jwks`);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/jwk-set+json']);
    expect(body.keys.map((key: { alg: string }) => key.alg).sort()).toEqual(['ES256', 'RS256']);
    for (const key of body.keys) {
      expect(key).toMatchObject({ use: 'sig', kid: expect.any(String) });
      for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi']) expect(key).not.toHaveProperty(secret);
    }
  });
});
