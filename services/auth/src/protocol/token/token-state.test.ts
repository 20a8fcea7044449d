import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, post } from '@lyceum/testkit';
import { SignJWT, decodeJwt, generateKeyPair } from 'jose';
import { accountDecider } from '../../domain/accounts/account.ts';
import { streamOf } from '../../domain/streams.ts';
import { write } from '../../domain/write.ts';
import {
  type TestAuth,
  emailOf,
  introspect,
  password,
  registerConfidential,
  startAuth,
  userinfo,
} from '../../testing/test-auth.ts';

let auth: TestAuth;
let client: Client;
beforeAll(async () => {
  auth = await startAuth();
  client = await Client.register(auth.school.url);
});
afterAll(() => auth.close());

const tokens = (scope = 'openid profile email courses:read') => client.tokens(emailOf('owner'), password, scope);
const revoke = (form: Record<string, string>) => post(`${auth.school.url}/api/oauth/revoke`, form);

describe('POST /api/oauth/revoke', () => {
  test('RFC 7009 §2.1: an access token dies alone', async () => {
    const { access_token, refresh_token } = await tokens();
    const { status, body } = await client.revoke(access_token);
    expect([status, body]).toEqual([200, '']);
    expect((await userinfo(auth.school, access_token)).status).toBe(401);
    expect((await client.refresh(refresh_token)).status).toBe(200);
  });

  test('RFC 7009 §2.1: a refresh token dies with its whole grant, also one that was rotated away', async () => {
    const { access_token, refresh_token } = await tokens();
    const next = (await client.refresh(refresh_token)).body;
    expect((await client.revoke(refresh_token)).status).toBe(200);
    for (const token of [access_token, next.access_token])
      expect((await userinfo(auth.school, token)).status).toBe(401);
    expect((await client.refresh(next.refresh_token)).body.error).toBe('invalid_grant');
  });

  test.each(['access_token', 'refresh_token', 'nonsense'])(
    'RFC 7009 §2.1: the hint %s changes nothing',
    async (token_type_hint) => {
      const { access_token, refresh_token } = await tokens();
      for (const token of [access_token, refresh_token])
        expect((await revoke({ token, client_id: client.id, token_type_hint })).status).toBe(200);
      expect((await userinfo(auth.school, access_token)).status).toBe(401);
      expect((await client.refresh(refresh_token)).status).toBe(400);
    },
  );

  test('RFC 7009 §2.2: an unknown, expired or repeated token still yields 200', async () => {
    const { access_token } = await tokens();
    auth.clock.advance(601_000);
    for (const token of [
      'nonsense',
      'a.b.c',
      access_token,
      access_token,
      `rt_${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}.${'A'.repeat(43)}`,
    ])
      expect((await client.revoke(token)).status).toBe(200);
  });

  test('RFC 7009 §2.1: the token of another client is left alone', async () => {
    const { access_token, refresh_token } = await tokens();
    const stranger = await Client.register(auth.school.url);
    for (const token of [access_token, refresh_token]) expect((await stranger.revoke(token)).status).toBe(200);
    expect((await userinfo(auth.school, access_token)).status).toBe(200);
    expect((await client.refresh(refresh_token)).status).toBe(200);
  });

  test('RFC 7009 §2.1: without a token it is invalid_request; without the right client invalid_client', async () => {
    expect((await revoke({ client_id: client.id })).body.error).toBe('invalid_request');
    const { client_id } = await registerConfidential(auth.school);
    const { status, body } = await revoke({ token: 'x', client_id, client_secret: 'wrong' });
    expect([status, body.error]).toEqual([401, 'invalid_client']);
  });
});

describe('POST /api/oauth/introspect', () => {
  test('RFC 7662 §2.2: tells a client about its own tokens', async () => {
    const { access_token, refresh_token } = await tokens();
    const claims = decodeJwt(access_token);
    expect((await introspect(auth.school, client.id, access_token)).body).toEqual({
      active: true,
      scope: 'openid profile email courses:read',
      client_id: client.id,
      username: emailOf('owner'),
      token_type: 'Bearer',
      exp: claims.exp,
      iat: claims.iat,
      sub: claims.sub,
      aud: claims.aud,
      iss: claims.iss,
      jti: claims.jti,
      auth_time: claims['auth_time'],
      acr: '0',
      sid: claims['sid'],
    });
    const about = (await introspect(auth.school, client.id, refresh_token)).body;
    expect(about).toMatchObject({
      active: true,
      client_id: client.id,
      sub: claims.sub,
      exp: claims.iat! + 14 * 86_400,
    });
  });

  test('RFC 8707 §2: shows the resource that the token is bound to', async () => {
    const { refresh_token } = await tokens();
    expect((await introspect(auth.school, client.id, refresh_token)).body.aud).toBe(auth.school.url);
  });

  test('RFC 7662 §2.2: of anything else it says only that it is not active', async () => {
    const { access_token, refresh_token, id_token } = await tokens();
    const stranger = await Client.register(auth.school.url);
    const confidential = await registerConfidential(auth.school);
    const answers = [
      ...(await Promise.all(
        ['nonsense', 'a.b.c', id_token!].map((token) => introspect(auth.school, client.id, token)),
      )),
      ...(await Promise.all([access_token, refresh_token].map((token) => introspect(auth.school, stranger.id, token)))),
      await post(`${auth.school.url}/api/oauth/introspect`, { token: access_token, ...confidential }),
    ];
    for (const { status, body } of answers) expect([status, body]).toEqual([200, { active: false }]);
    auth.clock.advance(600_000);
    expect((await introspect(auth.school, client.id, access_token)).body).toEqual({ active: false });
  });

  test('RFC 7662 §2.1: a caller that is no client is 401', async () => {
    const { status, body } = await post(`${auth.school.url}/api/oauth/introspect`, { token: 'x' });
    expect([status, body.error]).toEqual([401, 'invalid_client']);
  });

  test('without the scope email there is no username', async () => {
    const { access_token } = await tokens('courses:read');
    expect('username' in (await introspect(auth.school, client.id, access_token)).body).toBe(false);
  });
});

describe('/api/oauth/userinfo', () => {
  const url = () => `${auth.school.url}/api/oauth/userinfo`;
  const metadata = () => `resource_metadata="${auth.school.url}/.well-known/oauth-protected-resource"`;

  test('OIDC Core §5.4: the scopes decide which claims there are', async () => {
    const claims = async (scope: string) => {
      const response = await userinfo(auth.school, (await tokens(scope)).access_token);
      return Object.keys((await response.json()) as object);
    };
    expect(await claims('openid')).toEqual(['sub']);
    expect(await claims('openid profile')).toEqual(['sub', 'name', 'updated_at']);
    expect(await claims('openid email')).toEqual(['sub', 'email', 'email_verified']);
  });

  test('OIDC Core §5.1: profile has the language that the person has chosen', async () => {
    const { access_token } = await tokens('openid profile');
    const id = decodeJwt(access_token).sub!;
    const target = { school: auth.school.id, stream: streamOf('account', id)!, meta: { actor: id } };
    await write(auth.ports, accountDecider, target, { type: 'ChangeProfile', locale: 'pt-PT' });
    expect(await (await userinfo(auth.school, access_token)).json()).toMatchObject({ sub: id, locale: 'pt-PT' });
  });

  test('OIDC Core §5.3.1: the token may come in a form, but not in two ways, and not in the query', async () => {
    const { access_token } = await tokens();
    const body = new URLSearchParams({ access_token });
    const headers = { authorization: `Bearer ${access_token}` };
    expect((await fetch(url(), { method: 'POST', body })).status).toBe(200);
    expect((await fetch(url(), { method: 'POST', headers })).status).toBe(200);
    const twice = await fetch(url(), { method: 'POST', body, headers });
    expect([twice.status, ((await twice.json()) as { error: string }).error]).toEqual([400, 'invalid_request']);
    const inQuery = await fetch(`${url()}?access_token=${access_token}`);
    expect([inQuery.status, ((await inQuery.json()) as { error: string }).error]).toEqual([400, 'invalid_request']);
    for (const { headers: answered } of [twice, inQuery])
      expect(answered.get('www-authenticate')).toMatch(/^Bearer error="invalid_request"/);
  });

  test('RFC 6750 §3.1: without a token it is 401 with a challenge that carries no error code', async () => {
    const response = await fetch(url());
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, `Bearer ${metadata()}`]);
  });

  test('RFC 6750 §3.1: without openid it is 403 insufficient_scope', async () => {
    const response = await userinfo(auth.school, (await tokens('courses:read')).access_token);
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([
      403,
      'insufficient_scope',
    ]);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer error="insufficient_scope".*scope="openid"/);
    expect(response.headers.get('www-authenticate')).toContain(metadata());
  });

  test('RFC 9068 §4: an ID token, an expired token and tokens that others signed are 401 invalid_token', async () => {
    const { access_token, id_token } = await tokens();
    const claims = decodeJwt(access_token);
    const { privateKey } = await generateKeyPair('ES256');
    const kid = JSON.parse(Buffer.from(access_token.split('.')[0]!, 'base64url').toString()).kid as string;
    const forged = (header: { alg: string; kid?: string }) =>
      new SignJWT({ ...claims }).setProtectedHeader({ ...header, typ: 'at+jwt' }).sign(privateKey);
    const unsigned = `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${access_token.split('.')[1]}.`;
    const bad = [
      'nonsense',
      id_token!,
      unsigned,
      `${access_token.slice(0, -4)}AAAA`,
      await forged({ alg: 'ES256', kid }),
      await forged({ alg: 'ES256' }),
    ];
    const check = async (token: string) => {
      const response = await userinfo(auth.school, token);
      expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([401, 'invalid_token']);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/);
      expect(response.headers.get('www-authenticate')).toContain(metadata());
    };
    for (const token of bad) await check(token);
    auth.clock.advance(600_000);
    await check(access_token);
  });
});
