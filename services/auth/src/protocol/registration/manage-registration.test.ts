import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, Client, call } from '@lyceum/testkit';
import { type TestAuth, emailOf, introspect, password, startAuth, userinfo } from '../../testing/test-auth.ts';

let auth: TestAuth;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.close());

const redirect_uris = ['http://127.0.0.1:49152/callback'];
const register = async (json: object = {}) =>
  (await call(`${auth.school.url}/api/oauth/register`, { json: { redirect_uris, ...json } })).body;
type Registration = { client_id: string; registration_access_token: string; registration_client_uri: string };

const manage = (method: string, { registration_client_uri, registration_access_token }: Registration, json?: unknown) =>
  call(registration_client_uri, {
    method,
    token: registration_access_token,
    ...(json === undefined ? {} : { json }),
  });
const refusal = ({ status, body }: Answer) => [status, body.error];

describe('the registration of a client', () => {
  test('RFC 7592 §3: comes with an address and a token of 256 bits that manage it', async () => {
    const made = await register();
    expect(made.registration_client_uri).toBe(`${auth.school.url}/api/oauth/register/${made.client_id}`);
    expect(Buffer.from(made.registration_access_token, 'base64url')).toHaveLength(32);
    const stored = JSON.stringify(await auth.ports.log.readLane(auth.ports.log.laneOf(auth.school.id), 0, 1_000));
    expect(stored).not.toContain(made.registration_access_token);
  });

  test('RFC 7592 §2.1: is read as it is, unkept, without the secret that nobody has any more', async () => {
    const made = await register({ client_name: 'A', token_endpoint_auth_method: 'client_secret_post' });
    const { status, headers, body } = await manage('GET', made);
    const { client_secret: _secret, client_secret_expires_at: _expires, ...rest } = made;
    expect([status, body, headers.get('cache-control')]).toEqual([200, rest, 'no-store']);
  });

  test('RFC 7592 §2.2: is replaced: what is left out goes back to its default', async () => {
    const made = await register({ client_name: 'A', scope: 'openid', grant_types: ['authorization_code'] });
    const other = ['http://localhost/other'];
    const { status, body } = await manage('PUT', made, { client_id: made.client_id, redirect_uris: other });
    expect(status).toBe(200);
    expect(body).toEqual({
      client_id: made.client_id,
      client_id_issued_at: made.client_id_issued_at,
      registration_access_token: made.registration_access_token,
      registration_client_uri: made.registration_client_uri,
      application_type: 'native',
      redirect_uris: other,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: 'RS256',
    });
    expect((await manage('GET', made)).body).toEqual(body);
  });

  test('RFC 7592 §2.2: obeys the policy of a new registration', async () => {
    const made = await register();
    const put = (json: object) => manage('PUT', made, { client_id: made.client_id, redirect_uris, ...json });
    expect(refusal(await put({ redirect_uris: ['https://app.example/cb'] }))).toEqual([400, 'invalid_redirect_uri']);
    expect(refusal(await put({ redirect_uris: undefined }))).toEqual([400, 'invalid_redirect_uri']);
    expect(refusal(await put({ scope: 'everything' }))).toEqual([400, 'invalid_client_metadata']);
    expect(refusal(await put({ token_endpoint_auth_method: 'private_key_jwt' }))).toEqual([
      400,
      'invalid_client_metadata',
    ]);
    expect(refusal(await put({ software_statement: 'e30' }))).toEqual([400, 'invalid_software_statement']);
    expect((await manage('GET', made)).body).toEqual(made);
  });

  test.each([
    ['no client_id', { client_id: undefined }],
    ['another client_id', { client_id: 'client_0198f3a2-7c1b-7000-8000-000000000001' }],
    ['a secret of its own choice', { client_secret: 'my-own-secret' }],
    ['the registration token', { registration_access_token: 'x' }],
    ['the registration address', { registration_client_uri: 'x' }],
    ['the expiry of a secret', { client_secret_expires_at: 0 }],
    ['the time of issue', { client_id_issued_at: 0 }],
  ])('RFC 7592 §2.2: a replacement with %s is refused', async (_, json) => {
    const made = await register();
    const answer = await manage('PUT', made, { client_id: made.client_id, redirect_uris, ...json });
    expect(refusal(answer)).toEqual([400, 'invalid_client_metadata']);
  });

  test('RFC 7592 §2.2: a client that takes up a secret gets one, keeps it, and loses it with the method', async () => {
    const made = await register();
    const put = (json: object) => manage('PUT', made, { client_id: made.client_id, redirect_uris, ...json });
    const confidential = { token_endpoint_auth_method: 'client_secret_post' };
    const { body } = await put(confidential);
    expect([Buffer.from(body.client_secret, 'base64url').length, body.client_secret_expires_at]).toEqual([32, 0]);
    const kept = await put({ ...confidential, client_secret: body.client_secret });
    expect([kept.status, kept.body.client_secret]).toEqual([200, undefined]);
    expect((await put({})).body.token_endpoint_auth_method).toBe('none');
    expect((await put(confidential)).body.client_secret).not.toBe(body.client_secret);
  });

  test.each(['GET', 'PUT', 'DELETE'])('RFC 7592 §2: %s without the right token is 401', async (method) => {
    const [made, foreign] = [await register(), await register()];
    const json = method === 'PUT' ? { client_id: made.client_id, redirect_uris } : undefined;
    const missing = await call(made.registration_client_uri, { method, ...(json ? { json } : {}) });
    expect([...refusal(missing), missing.headers.get('www-authenticate')]).toEqual([401, 'invalid_token', 'Bearer']);
    for (const token of [foreign.registration_access_token, 'x', made.client_id]) {
      const answer = await manage(method, { ...made, registration_access_token: token }, json);
      expect([...refusal(answer), answer.headers.get('www-authenticate')]).toEqual([
        401,
        'invalid_token',
        'Bearer error="invalid_token"',
      ]);
    }
  });

  test('RFC 7592 §2: the token of a client is no good at another school, nor for an unknown client', async () => {
    const made = await register();
    const elsewhere = made.registration_client_uri.replace(auth.school.url, auth.other.url);
    expect((await manage('GET', { ...made, registration_client_uri: elsewhere })).status).toBe(401);
    for (const id of ['client_0198f3a2-7c1b-7000-8000-000000000001', 'x', '..%2f'])
      expect(
        (await manage('GET', { ...made, registration_client_uri: `${auth.school.url}/api/oauth/register/${id}` }))
          .status,
      ).toBe(401);
  });

  test('RFC 7592 §2: POST is 405 with what is allowed', async () => {
    const answer = await manage('POST', await register(), {});
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT, DELETE, OPTIONS']);
  });

  test('a body that is no JSON object or larger than 64 KiB is refused', async () => {
    const made = await register();
    expect(refusal(await manage('PUT', made, []))).toEqual([400, 'invalid_request']);
    expect(refusal(await manage('PUT', made, { client_name: 'a'.repeat(70_000) }))).toEqual([413, 'payload_too_large']);
  });
});

describe('a registration that is deleted', () => {
  test('RFC 7592 §2.3: is gone with its token, and the client is unknown from then on', async () => {
    const made = await register();
    const { status, body } = await manage('DELETE', made);
    expect([status, body]).toEqual([204, '']);
    expect((await manage('GET', made)).status).toBe(401);
    expect((await manage('DELETE', made)).status).toBe(401);
    const authorize = `${auth.school.url}/oauth/authorize?client_id=${made.client_id}`;
    expect((await fetch(authorize)).status).toBe(400);
  });

  test('RFC 7592 §2.3: takes all that it was granted along: no token of it counts, and refreshing is invalid_client', async () => {
    const client = await Client.register(auth.school.url);
    const tokens = await client.tokens(emailOf('owner'), password, 'openid courses:read');
    expect((await introspect(auth.school, client.id, tokens.access_token)).body.active).toBe(true);
    expect((await userinfo(auth.school, tokens.access_token)).status).toBe(200);
    await manage('DELETE', {
      client_id: client.id,
      registration_client_uri: `${auth.school.url}/api/oauth/register/${client.id}`,
      registration_access_token: client.registrationToken,
    });
    expect(refusal(await client.refresh(tokens.refresh_token))).toEqual([401, 'invalid_client']);
    expect((await userinfo(auth.school, tokens.access_token)).status).toBe(401);
    expect((await introspect(auth.school, client.id, tokens.access_token)).status).toBe(401);
  });
});
