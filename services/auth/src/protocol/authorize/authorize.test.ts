import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Person } from '@lyceum/testkit';
import { type TestAuth, startAuth } from '../../testing/test-auth.ts';

let auth: TestAuth;
let client: Client;
beforeAll(async () => {
  auth = await startAuth();
  client = await Client.register(auth.school.url);
});
afterAll(() => auth.close());

/** The request with some parameters set, or taken away (undefined), or repeated (a list). */
function urlOf(changes: Readonly<Record<string, string | readonly string[] | undefined>>, of = client): URL {
  const { url } = of.start('openid courses:read', { state: 'st/ä+te' });
  for (const [name, value] of Object.entries(changes)) {
    url.searchParams.delete(name);
    for (const each of value === undefined ? [] : [value].flat()) url.searchParams.append(name, each as string);
  }
  return url;
}
const visit = (changes: Parameters<typeof urlOf>[0], of?: Client) => new Person().visit(urlOf(changes, of));

describe('/oauth/authorize', () => {
  test.each<[string, Parameters<typeof urlOf>[0]]>([
    ['no client_id', { client_id: undefined }],
    ['an empty client_id', { client_id: '' }],
    ['an unknown client_id', { client_id: 'client_00000000-0000-7000-8000-000000000000' }],
    ['a client_id that is a stream name', { client_id: '../keys' }],
    ['two client_ids', { client_id: ['a', 'b'] }],
    ['no redirect_uri', { redirect_uri: undefined }],
    ['an unregistered redirect_uri', { redirect_uri: 'http://127.0.0.1:53682/other' }],
    ['another loopback name', { redirect_uri: 'http://localhost:53682/callback' }],
    ['a foreign redirect_uri', { redirect_uri: 'https://evil.test/callback' }],
    ['two redirect_uris', { redirect_uri: ['http://127.0.0.1:53682/callback', 'https://evil.test/'] }],
  ])('RFC 6749 §4.1.2.1: %s is a 400 page, never a redirect', async (_, changes) => {
    const landed = await visit({ ...changes, response_type: 'nonsense' });
    expect([landed.status, landed.left]).toEqual([400, undefined]);
    expect(landed.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(landed.headers.get('cache-control')).toBe('no-store');
    expect(landed.headers.get('access-control-allow-origin')).toBeNull();
  });

  test.each<[string, string, Parameters<typeof urlOf>[0]]>([
    ['RFC 6749 §4.1.2.1: no response_type', 'invalid_request', { response_type: undefined }],
    ['RFC 6749 §4.1.2.1: response_type token', 'unsupported_response_type', { response_type: 'token' }],
    ['RFC 6749 §4.1.2.1: response_type code id_token', 'unsupported_response_type', { response_type: 'code id_token' }],
    ['OAuth Multiple Response Types §2.1: response_mode fragment', 'invalid_request', { response_mode: 'fragment' }],
    ['RFC 7636 §4.4.1: no code_challenge', 'invalid_request', { code_challenge: undefined }],
    ['RFC 7636 §4.3: no method would mean plain', 'invalid_request', { code_challenge_method: undefined }],
    ['RFC 7636 §4.4.1: method plain', 'invalid_request', { code_challenge_method: 'plain' }],
    ['RFC 7636 §4.2: a short challenge', 'invalid_request', { code_challenge: 'a'.repeat(42) }],
    ['RFC 7636 §4.2: a challenge of other characters', 'invalid_request', { code_challenge: `${'a'.repeat(42)}=` }],
    ['RFC 6749 §3.1: a repeated parameter', 'invalid_request', { scope: ['openid', 'profile'] }],
    ['RFC 6749 §3.3: an unknown scope', 'invalid_scope', { scope: 'openid everything' }],
    ['RFC 8707 §2: a foreign resource', 'invalid_target', { resource: 'https://api.evil.test/' }],
    ['RFC 8707 §2: a resource with a fragment', 'invalid_target', { resource: 'RESOURCE#part' }],
    ['RFC 8707 §2: a resource that only begins like ours', 'invalid_target', { resource: 'RESOURCE.evil.test' }],
    ['OIDC Core §3.1.2.1: prompt none beside another', 'invalid_request', { prompt: 'none login' }],
    ['OIDC Core §3.1.2.1: an unknown prompt', 'invalid_request', { prompt: 'create' }],
    ['OIDC Core §3.1.2.1: a max_age that is no number', 'invalid_request', { max_age: 'soon' }],
    ['OIDC Core §3.1.2.1: a negative max_age', 'invalid_request', { max_age: '-1' }],
    ['OIDC Core §3.1.2.1: an id_token_hint that is no ID token', 'invalid_request', { id_token_hint: 'x.y.z' }],
    ['OIDC Core §3.1.2.6: request', 'request_not_supported', { request: 'e30.e30.' }],
    ['OIDC Core §3.1.2.6: request_uri', 'request_uri_not_supported', { request_uri: 'https://a.example/r' }],
    ['OIDC Core §3.1.2.6: registration', 'registration_not_supported', { registration: '{}' }],
    ['OIDC Core §3.1.2.6: prompt none without a session', 'login_required', { prompt: 'none' }],
    ['RFC 6749 §4.1.2.1: a request too long to come back to', 'invalid_request', { nonce: 'n'.repeat(12_000) }],
  ])('%s is told to the client as %s', async (_, error, changes) => {
    const { resource } = changes;
    const ours = typeof resource === 'string' ? { resource: resource.replace('RESOURCE', auth.school.url) } : {};
    const { status, left, headers } = await visit({ ...changes, ...ours });
    expect(status).toBe(303);
    expect(`${left!.origin}${left!.pathname}`).toBe(client.redirectUri);
    expect(left!.searchParams.get('error')).toBe(error);
    expect(left!.searchParams.get('error_description')).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(left!.searchParams.get('state')).toBe('st/ä+te');
    expect(left!.searchParams.get('iss')).toBe(auth.school.url);
    expect(left!.searchParams.has('code')).toBe(false);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('RFC 6749 §4.1.2.1: a request without state is answered without state', async () => {
    const { left } = await visit({ state: undefined, scope: 'nonsense' });
    expect(left!.searchParams.has('state')).toBe(false);
  });

  test('RFC 8252 §7.3: the port of a loopback redirect is free, and the answer goes to the one asked for', async () => {
    const { left } = await visit({ redirect_uri: 'http://127.0.0.1:1/callback', prompt: 'none' });
    expect(left!.host).toBe('127.0.0.1:1');
  });

  test('RFC 6749 §3.1.2: the query of a registered redirect URI stays', async () => {
    const uri = 'http://127.0.0.1:53682/callback?keep=a%20b';
    const keeping = await Client.register(auth.school.url, { redirect_uris: [uri] });
    const { left } = await visit({ redirect_uri: uri, prompt: 'none' }, keeping);
    expect(left!.search).toMatch(/^\?keep=a%20b&error=login_required&/);
  });

  test.each(['login_hint', 'display', 'ui_locales', 'claims_locales', 'acr_values', 'claims', 'foo'])(
    'OIDC Core §3.1.2.1: %s never fails a request',
    async (name) => expect((await visit({ [name]: 'x' })).status).toBe(200),
  );

  test('OIDC Core §3.1.2.1: login_hint fills in the e-mail address', async () =>
    expect((await visit({ login_hint: 'ada@example.org' })).text).toContain('value="ada@example.org"'));

  test('OIDC Core §3.1.2.1: the request may come as a form by POST', async () => {
    const { url } = client.start('openid');
    const response = await fetch(`${auth.school.url}/oauth/authorize`, { method: 'POST', body: url.searchParams });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('name="password"');
  });

  test('RFC 9700 §4.16: the pages run no script, stand in no frame and leak no referrer', async () => {
    const { headers, text } = await visit({});
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(text).not.toMatch(/<script/i);
  });

  test('RFC 9110 §15.5.6: another method is 405 with Allow', async () => {
    const response = await fetch(urlOf({}), { method: 'PUT' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
  });
});
