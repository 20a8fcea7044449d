import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, post } from '@lyceum/testkit';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { createHash } from 'node:crypto';
import { type TestAuth, approved, registerConfidential, startAuth, userinfo } from '../../testing/test-auth.ts';

let auth: TestAuth;
let client: Client;
beforeAll(async () => {
  auth = await startAuth();
  client = await Client.register(auth.school.url);
});
afterAll(() => auth.close());

const nonce = 'n-ä "quoted" \\ + %20 ✓';
async function redeemed(scope = 'openid profile courses:read', more: Record<string, string> = {}) {
  const { code, verifier } = await approved(client, scope, { more });
  return (await client.redeem(code, verifier)).body;
}

describe('a token response', () => {
  test('RFC 6749 §5.1: has its fields in the types of the RFC and nothing null', async () => {
    const body = await redeemed();
    expect(Object.keys(body).sort()).toEqual([
      'access_token',
      'expires_in',
      'id_token',
      'refresh_token',
      'scope',
      'token_type',
    ]);
    expect([body.token_type, body.expires_in, body.scope]).toEqual(['Bearer', 600, 'openid profile courses:read']);
    expect(Object.values(body)).not.toContain(null);
  });

  test('RFC 6749 §2.3: two ways to authenticate at once are invalid_request', async () => {
    const { client_id, client_secret } = await registerConfidential(auth.school);
    const response = await fetch(`${auth.school.url}/api/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id, client_secret }),
    });
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([400, 'invalid_request']);
  });

  test('RFC 6749 §2.3.1: a method that the client did not register is invalid_client', async () => {
    const { client_id, client_secret } = await registerConfidential(auth.school);
    const response = await fetch(`${auth.school.url}/api/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x' }),
    });
    expect([response.status, response.headers.get('www-authenticate')?.split(' ')[0]]).toEqual([401, 'Basic']);
  });

  test('RFC 6749 §5.2: an unknown refresh token and an unknown code are invalid_grant', async () => {
    expect((await client.refresh('rt_unknown')).body.error).toBe('invalid_grant');
    const form = {
      grant_type: 'authorization_code',
      code: 'x',
      redirect_uri: client.redirectUri,
      client_id: client.id,
    };
    const { body } = await post(`${auth.school.url}/api/oauth/token`, { ...form, code_verifier: 'v'.repeat(43) });
    expect(body.error).toBe('invalid_grant');
  });
});

describe('an access token', () => {
  test('RFC 9068 §2.1: says by its header that it is one, and which key signed it', async () => {
    const header = decodeProtectedHeader((await redeemed()).access_token);
    expect(header).toEqual({ alg: 'ES256', kid: expect.any(String), typ: 'at+jwt' });
  });

  test('RFC 9068 §2.2: has the claims of the RFC, and the grant, session and school that it stands for', async () => {
    const claims = decodeJwt((await redeemed()).access_token);
    for (const name of [
      'iss',
      'sub',
      'aud',
      'client_id',
      'iat',
      'exp',
      'jti',
      'scope',
      'auth_time',
      'acr',
      'amr',
      'sid',
      'gid',
      'school',
    ])
      expect([name, claims[name] !== undefined && claims[name] !== null]).toEqual([name, true]);
    expect(claims.exp! - claims.iat!).toBe(600);
  });

  test('RFC 8707 §2: is for the school when no resource is named, as one text', async () => {
    expect(decodeJwt((await redeemed()).access_token).aud).toBe(auth.school.url);
  });
});

describe('an ID token', () => {
  test('OIDC Core §2: says who signed in, when and how, for whom; nonce as it was sent', async () => {
    const { id_token, access_token } = await redeemed('openid', { nonce });
    const claims = decodeJwt(id_token);
    expect(claims).toMatchObject({
      iss: auth.school.url,
      aud: client.id,
      azp: client.id,
      nonce,
      acr: '0',
      amr: ['pwd'],
    });
    expect(claims['auth_time']).toBe(Math.floor(auth.clock.now() / 1000));
    expect([claims.sub, claims['sid']]).toEqual([decodeJwt(access_token).sub, decodeJwt(access_token)['sid']]);
    expect('nonce' in decodeJwt((await redeemed('openid')).id_token)).toBe(false);
  });

  test('OIDC Core §3.1.3.6: is bound to its access token by at_hash', async () => {
    const { id_token, access_token } = await redeemed('openid');
    const half = createHash('sha256').update(access_token).digest().subarray(0, 16).toString('base64url');
    expect(decodeJwt(id_token)['at_hash']).toBe(half);
  });

  test('OIDC Core §15.1: is signed RS256 unless the client registered another algorithm', async () => {
    expect(decodeProtectedHeader((await redeemed('openid')).id_token)).toMatchObject({ alg: 'RS256', typ: 'JWT' });
  });

  test('OIDC Core §12.2: a refreshed one keeps iss, sub, aud and auth_time, has a new iat and no nonce', async () => {
    const first = await redeemed('openid', { nonce });
    auth.clock.advance(5_000);
    const { body } = await client.refresh(first.refresh_token);
    const [before, after] = [decodeJwt(first.id_token), decodeJwt(body.id_token)];
    for (const name of ['iss', 'sub', 'aud', 'azp', 'auth_time', 'sid']) expect(after[name]).toEqual(before[name]);
    expect([after.iat! - before.iat!, 'nonce' in after]).toEqual([5, false]);
  });

  test('OIDC Core §5.3.2: UserInfo has the same sub', async () => {
    const { id_token, access_token } = await redeemed('openid profile');
    const claims = (await (await userinfo(auth.school, access_token)).json()) as Record<string, unknown>;
    expect([claims['sub'], typeof claims['updated_at']]).toEqual([decodeJwt(id_token).sub, 'number']);
    expect(Object.values(claims)).not.toContain(null);
  });
});
