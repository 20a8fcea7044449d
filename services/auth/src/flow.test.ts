import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Person, approve, call, codeOf, post } from '@lyceum/testkit';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { type TestAuth, approved, emailOf, introspect, password, startAuth, userinfo } from './testing/test-auth.ts';

let auth: TestAuth;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.close());

const keysOf = async (url: string) => createLocalJWKSet((await call(`${url}/api/oauth/jwks`)).body);

describe('the whole flow', () => {
  test('a developer registers a client, a person signs in and agrees, the client gets, uses, refreshes and revokes tokens', async () => {
    const { school, ports } = auth;
    const client = await Client.register(school.url);
    const person = new Person();
    const { url, verifier } = client.start('openid profile email courses:read courses:write', { nonce: 'n-1' });

    const signIn = await person.visit(url);
    expect(signIn.status).toBe(200);
    const consent = await person.submit(signIn, { email: emailOf('owner'), password });
    expect(consent.text).toContain('courses:write');
    const back = await person.submit(consent, { decision: 'approve' });
    expect(back.status).toBe(303);
    expect(back.left?.searchParams.get('state')).toBe(url.searchParams.get('state'));
    expect(back.left?.searchParams.get('iss')).toBe(school.url);

    const { status, headers, body } = await client.redeem(codeOf(back), verifier);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('pragma')).toBe('no-cache');
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 600,
      refresh_token: expect.any(String),
      scope: 'openid profile email courses:read courses:write',
      id_token: expect.any(String),
    });

    const keys = await keysOf(school.url);
    const currentDate = new Date(ports.clock.now());
    const access = await jwtVerify(body.access_token, keys, { typ: 'at+jwt', issuer: school.url, currentDate });
    expect(access.protectedHeader.alg).toBe('ES256');
    expect(access.payload).toEqual({
      iss: school.url,
      sub: expect.stringMatching(/^account_/),
      aud: school.url,
      client_id: client.id,
      iat: ports.clock.now() / 1000,
      exp: ports.clock.now() / 1000 + 600,
      jti: expect.any(String),
      scope: 'openid profile email courses:read courses:write',
      auth_time: ports.clock.now() / 1000,
      acr: '0',
      amr: ['pwd'],
      sid: expect.stringMatching(/^session_/),
      gid: expect.stringMatching(/^grant_/),
      school: school.id,
      role: 'owner',
    });
    const id = await jwtVerify(body.id_token, keys, { issuer: school.url, audience: client.id, currentDate });
    expect(id.protectedHeader).toMatchObject({ alg: 'RS256', typ: 'JWT' });
    expect(id.payload).toMatchObject({
      nonce: 'n-1',
      azp: client.id,
      sub: access.payload.sub,
      at_hash: expect.any(String),
    });

    expect(await (await userinfo(school, body.access_token)).json()).toEqual({
      sub: access.payload.sub,
      name: 'The owner',
      updated_at: ports.clock.now() / 1000,
      email: 'owner@school.test',
      email_verified: false,
    });

    const refreshed = await client.refresh(body.refresh_token);
    expect(refreshed.status).toBe(200);
    expect(refreshed.body.refresh_token).not.toBe(body.refresh_token);
    expect((await introspect(school, client.id, refreshed.body.access_token)).body.active).toBe(true);

    expect((await client.revoke(refreshed.body.refresh_token)).status).toBe(200);
    for (const token of [body.access_token, refreshed.body.access_token, refreshed.body.refresh_token])
      expect((await introspect(school, client.id, token)).body).toEqual({ active: false });
    expect((await userinfo(school, refreshed.body.access_token)).status).toBe(401);
    expect((await client.refresh(refreshed.body.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('OIDC Registration §2: a client that asks for ES256 gets ES256 ID tokens', async () => {
    const client = await Client.register(auth.school.url, { id_token_signed_response_alg: 'ES256' });
    const { id_token } = await client.tokens(emailOf('owner'), password, 'openid');
    expect(decodeProtectedHeader(id_token!).alg).toBe('ES256');
  });

  test('RFC 6749 §5.1: without openid there is no ID token', async () => {
    const client = await Client.register(auth.school.url);
    const { id_token, scope } = await client.tokens(emailOf('owner'), password, 'courses:read');
    expect([id_token, scope]).toEqual([undefined, 'courses:read']);
  });

  test('a token, a code, a client and a session of one school mean nothing at another', async () => {
    const { school, other } = auth;
    const client = await Client.register(school.url);
    const person = new Person();
    const tokens = await client.tokens(emailOf('owner'), password, 'openid', person);
    expect((await userinfo(other, tokens.access_token)).status).toBe(401);
    expect((await introspect(other, client.id, tokens.access_token)).body.error).toBe('invalid_client');
    const there = await Client.register(other.url);
    expect((await introspect(other, there.id, tokens.access_token)).body).toEqual({ active: false });
    const { code, verifier } = await approved(client);
    const form = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri, code_verifier: verifier };
    expect((await post(`${other.url}/api/oauth/token`, { ...form, client_id: there.id })).body.error).toBe(
      'invalid_grant',
    );
    const asked = await person.visit(there.start('openid').url);
    expect(asked.text).toContain('name="password"');
    const unknown = await new Person().visit(client.start('openid').url.href.replace(school.url, other.url));
    expect(unknown.status).toBe(400);
  });

  test('neither passwords nor codes nor tokens nor e-mail addresses are ever logged', async () => {
    const { school, lines } = auth;
    const client = await Client.register(school.url);
    const { code, verifier } = await approved(client);
    const { body } = await client.redeem(code, verifier);
    await client.redeem(code, verifier);
    await client.refresh(body.refresh_token);
    await approve(new Person(), client.start('openid').url, emailOf('owner'), 'planted wrong password').catch(() => {});
    await fetch(`${school.url}/api/oauth/userinfo?access_token=${body.access_token}`);
    const log = lines.join('\n');
    expect(lines.length).toBeGreaterThan(5);
    for (const secret of [
      password,
      'planted',
      code,
      verifier,
      body.access_token,
      body.refresh_token,
      body.id_token,
      '@school.test',
    ])
      expect(log).not.toContain(secret);
  });
});
