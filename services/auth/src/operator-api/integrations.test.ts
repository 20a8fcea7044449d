import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Person, approve, codeOf, post } from '@lyceum/testkit';
import { checkOperations } from '@lyceum/web';
import { type TestAuth, emailOf, introspect, password, startAuth, userinfo } from '../testing/test-auth.ts';
import { type TestOperator, startOperator } from '../testing/test-operator.ts';
import { integrationOperations } from './integration.internal.ts';

let auth: TestAuth;
let operator: TestOperator;
beforeAll(async () => {
  auth = await startAuth();
  operator = await startOperator(auth);
});
afterAll(async () => {
  await operator.close();
  await auth.close();
});

const callback = 'https://forum.example/callback';
const fields = { client_name: 'Forum', redirect_uris: [callback] };
const create = (more: object = {}) => operator.ask('POST', '', { school: auth.school.id, ...fields, ...more });
const made = async (more: object = {}) => (await create(more)).body;
const at = (id: string, rest = '', school = auth.school.id) => `/${id}${rest}?school=${school}`;

describe('an integration', () => {
  test('RFC 7591 §2: is registered under those names, with an HTTPS callback, a secret and defaults', async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    expect(body).toEqual({
      object: 'integration',
      client_id: expect.stringMatching(/^client_/),
      client_id_issued_at: auth.clock.now() / 1000,
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
      client_secret_expires_at: 0,
      school: auth.school.id,
      kind: 'integration',
      disabled: false,
      ...fields,
      application_type: 'web',
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: 'RS256',
    });
    const stored = JSON.stringify(await auth.ports.log.readLane(auth.ports.log.laneOf(auth.school.id), 0, 1_000));
    expect(stored).not.toContain(body.client_secret);
  });

  test('shows its secret once', async () => {
    const { client_id, client_secret } = await made();
    const { status, body } = await operator.ask('GET', at(client_id));
    expect([status, body.client_id, JSON.stringify(body).includes(client_secret)]).toEqual([200, client_id, false]);
  });

  test('takes people to its HTTPS callback and redeems the code with its secret', async () => {
    const { client_id, client_secret } = await made();
    const client = Client.known(auth.school.url, client_id, callback);
    const { url, verifier } = client.start('openid');
    const landed = await approve(new Person(), url, emailOf('owner'), password);
    expect(landed.left?.href).toMatch(/^https:\/\/forum\.example\/callback\?code=/);
    const form = { grant_type: 'authorization_code', redirect_uri: callback, client_id, code_verifier: verifier };
    const { status } = await post(`${auth.school.url}/api/oauth/token`, {
      ...form,
      client_secret,
      code: codeOf(landed),
    });
    expect(status).toBe(200);
  });

  test.each<[string, object, string]>([
    ['http callbacks', { redirect_uris: ['http://forum.example/cb'] }, 'invalid_redirect_uri'],
    ['a fragment', { redirect_uris: ['https://forum.example/cb#'] }, 'invalid_redirect_uri'],
    ['userinfo', { redirect_uris: ['https://a@forum.example/cb'] }, 'invalid_redirect_uri'],
    ['a wildcard', { redirect_uris: ['https://forum.example/*'] }, 'invalid_redirect_uri'],
    ['dot segments', { redirect_uris: ['https://forum.example/a/../cb'] }, 'invalid_redirect_uri'],
    ['a private scheme', { redirect_uris: ['forum:/cb'] }, 'invalid_redirect_uri'],
    ['neither callbacks nor APIs', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['an unknown scope', { scope: 'everything' }, 'invalid_client_metadata'],
    ['an http back channel', { backchannel_logout_uri: 'http://forum.example/x' }, 'invalid_client_metadata'],
    ['an http way back', { post_logout_redirect_uris: ['http://forum.example'] }, 'invalid_client_metadata'],
    ['a script as home page', { client_uri: 'javascript:alert(1)' }, 'invalid_client_metadata'],
    ['signing without keys', { token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
    ['keys without signing', { jwks_uri: 'https://forum.example/jwks' }, 'invalid_client_metadata'],
    [
      'a public API',
      { token_endpoint_auth_method: 'none', resources: ['https://a.example'] },
      'invalid_client_metadata',
    ],
    [
      'a public client without PKCE',
      { token_endpoint_auth_method: 'none', require_pkce: false },
      'invalid_client_metadata',
    ],
    ['no nonce where there is PKCE', { require_nonce: false }, 'invalid_client_metadata'],
    ['an API with a fragment', { resources: ['https://a.example/#x'] }, 'invalid_client_metadata'],
    ['an API with a query', { resources: ['https://a.example/?x'] }, 'invalid_client_metadata'],
    ['an API over http', { resources: ['http://a.example/'] }, 'invalid_client_metadata'],
    ['an unknown method', { token_endpoint_auth_method: 'tls_client_auth' }, 'validation_failed'],
    ['an unknown field', { owner: 'me' }, 'validation_failed'],
    ['no name', { client_name: '' }, 'validation_failed'],
  ])('RFC 9700 §2.1: with %s is refused', async (_, more, error) => {
    const { status, body } = await create(more);
    expect([status, body.error]).toEqual([error === 'validation_failed' ? 422 : 400, error]);
  });

  test('belongs to one school', async () => {
    const { client_id } = await made();
    expect((await operator.ask('GET', at(client_id, '', auth.other.id))).status).toBe(404);
    expect((await operator.ask('DELETE', at(client_id, '', auth.other.id))).status).toBe(404);
    expect((await operator.ask('GET', at('client_x'))).status).toBe(404);
    expect((await operator.ask('GET', at(client_id, '', 'school_unknown'))).status).toBe(404);
    expect((await create({ school: 'school_unknown' })).status).toBe(404);
  });

  test('keeps what a change leaves out, and gives back what is null', async () => {
    const before = await made({ client_uri: 'https://forum.example', scope: 'openid' });
    const { status, body } = await operator.ask('PATCH', at(before.client_id), { client_name: 'B', scope: null });
    const { client_secret: _, client_secret_expires_at: __, scope: ___, ...kept } = before;
    expect([status, body]).toEqual([200, { ...kept, client_name: 'B' }]);
    const wrong = await operator.ask('PATCH', at(before.client_id), { redirect_uris: ['http://forum.example'] });
    expect(wrong.body.error).toBe('invalid_redirect_uri');
    const method = { token_endpoint_auth_method: 'client_secret_basic' };
    expect((await operator.ask('PATCH', at(before.client_id), method)).body.client_secret).toBeUndefined();
  });

  test('gets a secret when it takes up a method that needs one', async () => {
    const { client_id } = await made({ token_endpoint_auth_method: 'none' });
    const { body } = await operator.ask('PATCH', at(client_id), { token_endpoint_auth_method: 'client_secret_basic' });
    expect(body.client_secret).toMatch(/^[\w-]{43}$/);
  });

  test('is listed with the others of its school, oldest first, page by page', async () => {
    const ids = [(await made()).client_id, (await made()).client_id];
    await Client.register(auth.school.url);
    const all: string[] = [];
    for (let cursor = ''; ;) {
      const more = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
      const { body } = await operator.ask('GET', `?school=${auth.school.id}&limit=5${more}`);
      expect(JSON.stringify(body)).not.toContain('client_secret"');
      all.push(...body.data.map((each: { client_id: string }) => each.client_id));
      if (!body.has_more) break;
      cursor = body.next_cursor;
    }
    expect(all).toEqual(expect.arrayContaining(ids));
    expect(new Set(all).size).toBe(all.length);
    expect((await operator.ask('GET', `?school=${auth.other.id}`)).body.data).toEqual([]);
  });
});

describe('an integration that is disabled', () => {
  test('loses all tokens at once, gets none, and neither comes back when it is enabled', async () => {
    const client = await Client.register(auth.school.url);
    const { access_token, refresh_token } = await client.tokens(emailOf('owner'), password, 'openid');
    expect((await operator.ask('POST', at(client.id, '/disable'))).body.disabled).toBe(true);
    expect((await userinfo(auth.school, access_token)).status).toBe(401);
    expect((await client.refresh(refresh_token)).body.error).toBe('invalid_client');
    expect((await introspect(auth.school, client.id, access_token)).body.error).toBe('invalid_client');
    expect((await client.revoke(refresh_token)).body.error).toBe('invalid_client');
    expect((await fetch(client.start('openid').url, { redirect: 'manual' })).status).toBe(400);
    expect((await operator.ask('POST', at(client.id, '/enable'))).body.disabled).toBe(false);
    expect((await client.refresh(refresh_token)).body.error).toBe('invalid_grant');
    expect((await introspect(auth.school, client.id, access_token)).body).toEqual({ active: false });
    auth.clock.advance(1_000);
    const again = await client.tokens(emailOf('owner'), password, 'openid');
    expect((await userinfo(auth.school, again.access_token)).status).toBe(200);
  });

  test('crosses to the other services as a fact, and so does being enabled', async () => {
    const { client_id } = await made();
    await operator.ask('POST', at(client_id, '/disable'));
    await operator.ask('POST', at(client_id, '/disable'));
    await operator.ask('POST', at(client_id, '/enable'));
    const { commits } = await auth.ports.log.load(auth.school.id, [client_id.replace('_', '-')]);
    expect(commits.flatMap(({ events }) => events.map(({ type }) => type))).toEqual([
      'ClientRegistered',
      'ClientDisabled',
      'ClientEnabled',
    ]);
  });
});

describe('the secret of an integration', () => {
  const accepted = async (client_id: string, client_secret: string) =>
    (await post(`${auth.school.url}/api/oauth/introspect`, { token: 'x', client_id, client_secret })).status === 200;

  test('is replaced while the one before stays good for a while', async () => {
    const { client_id, client_secret } = await made();
    const { body } = await operator.ask('POST', at(client_id, '/rotate-secret'), { overlap_seconds: 60 });
    expect([body.client_secret_expires_at, body.previous_secret_expires_at]).toEqual([0, auth.clock.now() / 1000 + 60]);
    auth.clock.advance(59_000);
    expect([await accepted(client_id, client_secret), await accepted(client_id, body.client_secret)]).toEqual([
      true,
      true,
    ]);
    auth.clock.advance(1_000);
    expect([await accepted(client_id, client_secret), await accepted(client_id, body.client_secret)]).toEqual([
      false,
      true,
    ]);
  });

  test('that was stolen ends at once', async () => {
    const { client_id, client_secret } = await made();
    await operator.ask('POST', at(client_id, '/rotate-secret'), { overlap_seconds: 0 });
    expect(await accepted(client_id, client_secret)).toBe(false);
  });

  test('exists only where the method needs one, and is no business of clients that registered themselves', async () => {
    const { client_id } = await made({ token_endpoint_auth_method: 'none' });
    expect((await operator.ask('POST', at(client_id, '/rotate-secret'), {})).body.error).toBe('invalid_state');
    const { id } = await Client.register(auth.school.url, { token_endpoint_auth_method: 'client_secret_post' });
    expect((await operator.ask('POST', at(id, '/rotate-secret'), {})).body.error).toBe('invalid_state');
    expect((await operator.ask('PATCH', at(id), { client_name: 'x' })).body.error).toBe('invalid_state');
  });
});

describe('an integration that serves APIs', () => {
  const api = (name: string) => ({ redirect_uris: [], resources: [`https://${name}.example/`] });

  test('RFC 8707 §2: has them for itself: another cannot take them until they are given back', async () => {
    const { client_id, grant_types } = await made(api('one'));
    expect(grant_types).toEqual([]);
    expect((await create(api('one'))).body.error).toBe('invalid_client_metadata');
    expect((await operator.ask('DELETE', at(client_id))).status).toBe(204);
    expect((await create(api('one'))).status).toBe(201);
  });

  test('RFC 8707 §2: cannot have an address of the school', async () => {
    for (const path of ['', '/', '/api', '/mcp'])
      expect((await create({ resources: [`${auth.school.url}${path}`] })).body.error).toBe('invalid_client_metadata');
  });

  test('signs nobody in when it has no callback', async () => {
    const { client_id } = await made(api('two'));
    const { url } = Client.known(auth.school.url, client_id, callback).start('openid');
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(400);
  });
});

test('the operations keep the conventions of the house', () =>
  expect(() => checkOperations(integrationOperations(auth.ports.schools))).not.toThrow());
