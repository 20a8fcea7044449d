import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@lyceum/testkit';
import { createHash } from 'node:crypto';
import { type TestAuth, approved, emailOf, introspect, password, startAuth, userinfo } from '../test-auth.ts';

const payloadOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;
const headerOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as Record<string, unknown>;
const forged = (header: object, payload: object, signature: string): string =>
  `${[header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.${signature}`;

/** Somebody has a token that is not theirs, or makes one up. */
describe('an attacker with a token', () => {
  let auth: TestAuth;
  let client: Client;
  beforeAll(async () => {
    auth = await startAuth({ refreshGrace: 0 });
    client = await Client.register(auth.school.url);
  });
  afterAll(() => auth.close());

  const tokens = () => client.tokens(emailOf('owner'), password, 'openid email courses:read');
  const isActive = async (token: string) => (await introspect(auth.school, client.id, token)).body.active;

  test('RFC 9700 §4.14.2: a thief who refreshes first loses all as soon as the owner refreshes', async () => {
    const owner = await tokens();
    const thief = await client.refresh(owner.refresh_token);
    expect(thief.status).toBe(200);
    expect((await client.refresh(owner.refresh_token)).body.error).toBe('invalid_grant');
    expect((await client.refresh(thief.body.refresh_token)).body.error).toBe('invalid_grant');
    expect(await isActive(thief.body.access_token)).toBe(false);
    expect(await isActive(owner.access_token)).toBe(false);
  });

  test('RFC 9700 §4.14.2: a thief who comes after the owner gets nothing, and the theft ends this grant and no other', async () => {
    const [owner, elsewhere] = [await tokens(), await tokens()];
    const next = await client.refresh(owner.refresh_token);
    expect((await client.refresh(owner.refresh_token)).body.error).toBe('invalid_grant');
    expect((await client.refresh(next.body.refresh_token)).body.error).toBe('invalid_grant');
    expect(await isActive(elsewhere.access_token)).toBe(true);
    expect((await client.refresh(elsewhere.refresh_token)).status).toBe(200);
  });

  test('RFC 9700 §4.14.2: a refresh token is worthless for another client and at another school, and is not spent there', async () => {
    const { refresh_token } = await tokens();
    for (const { url } of [auth.school, auth.other]) {
      const thief = await Client.register(url);
      expect((await thief.refresh(refresh_token)).body.error).toBe('invalid_grant');
      await thief.revoke(refresh_token);
    }
    expect((await client.refresh(refresh_token)).status).toBe(200);
  });

  test('RFC 9700 §2.3: a refresh widens neither the scopes nor the resource that the person agreed to', async () => {
    const { refresh_token } = await tokens();
    expect((await client.refresh(refresh_token, { scope: 'openid courses:write' })).body.error).toBe('invalid_scope');
    const another = await client.refresh(refresh_token, { resource: 'https://elsewhere.example/' });
    expect(another.body.error).toBe('invalid_target');
    expect((await client.refresh(refresh_token)).body.scope).toBe('openid email courses:read');
  });

  test('RFC 9700 §4.9.3: a token of one school opens nothing at another', async () => {
    const { access_token } = await tokens();
    const { status } = await userinfo(auth.other, access_token);
    expect(status).toBe(401);
    const accomplice = await Client.register(auth.other.url);
    expect((await introspect(auth.other, accomplice.id, access_token)).body).toEqual({ active: false });
  });

  test('RFC 9700 §4.10.2: neither an ID token nor a refresh token passes for an access token', async () => {
    const { id_token, refresh_token } = await tokens();
    for (const token of [id_token!, refresh_token]) expect((await userinfo(auth.school, token)).status).toBe(401);
  });

  test('RFC 9700 §4.6.1: the ID token names the access token that it came with, so a swapped one shows', async () => {
    const [one, two] = [await tokens(), await tokens()];
    const half = (token: string) => createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url');
    expect(payloadOf(one.id_token!)['at_hash']).toBe(half(one.access_token));
    expect(payloadOf(one.id_token!)['at_hash']).not.toBe(half(two.access_token));
    expect(payloadOf(one.id_token!)['aud']).toBe(client.id);
  });

  test('RFC 9700 §4.15: a client cannot pass for a person: its id is never a subject, and it cannot choose it', async () => {
    const { sub } = payloadOf((await tokens()).access_token) as { sub: string };
    expect(sub).toMatch(/^account_/);
    const chosen = await fetch(`${auth.school.url}/api/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_id: sub, sub, redirect_uris: ['http://127.0.0.1/cb'] }),
    });
    const { client_id } = (await chosen.json()) as { client_id: string };
    expect(client_id).toMatch(/^client_/);
  });

  test('RFC 8725 §3.1: a token that says "none", or whose claims were changed, is refused', async () => {
    const { access_token } = await tokens();
    const [header, payload, signature] = [headerOf(access_token), payloadOf(access_token), access_token.split('.')[2]!];
    const made = [
      forged({ ...header, alg: 'none' }, payload, ''),
      forged({ ...header, alg: 'None' }, payload, signature),
      forged(header, { ...payload, scope: 'openid school:write' }, signature),
      forged({ ...header, jwk: { kty: 'EC' } }, { ...payload, exp: 9_999_999_999 }, signature),
      `${access_token.slice(0, -2)}AA`,
      `${access_token}.`,
    ];
    for (const token of made) {
      expect((await userinfo(auth.school, token)).status).toBe(401);
      expect(await isActive(token)).toBe(false);
    }
  });

  test('RFC 9700 §4.3.2: a token in an address opens nothing, and nothing hides that it was sent so', async () => {
    const { access_token } = await tokens();
    const response = await fetch(`${auth.school.url}/api/oauth/userinfo?access_token=${access_token}`);
    expect([400, 401]).toContain(response.status);
    expect(await response.text()).not.toContain(access_token);
  });

  test('what was revoked in one place is dead everywhere: code, access token, refresh token and their siblings', async () => {
    const { code, verifier } = await approved(client);
    const { body } = await client.redeem(code, verifier);
    const next = (await client.refresh(body.refresh_token)).body;
    await client.revoke(next.refresh_token);
    for (const token of [body.access_token, next.access_token]) {
      expect(await isActive(token)).toBe(false);
      expect((await userinfo(auth.school, token)).status).toBe(401);
    }
    expect((await client.refresh(next.refresh_token)).body.error).toBe('invalid_grant');
  });
});
