import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@lyceum/testkit';
import { decodeJwt } from 'jose';
import { type TestAuth, emailOf, introspect, password, startAuth, userinfo } from '../../testing/test-auth.ts';

let auth: TestAuth;
let client: Client;
beforeAll(async () => {
  auth = await startAuth();
  client = await Client.register(auth.school.url);
});
afterAll(() => auth.close());

const scope = 'openid profile courses:read courses:write';
const tokens = () => client.tokens(emailOf('owner'), password, scope);

describe('POST /api/oauth/token with a refresh token', () => {
  test('RFC 6749 §6: rotates the token and keeps sub, auth_time and sid; the ID token has no nonce', async () => {
    const first = await tokens();
    auth.clock.advance(60_000);
    const { status, body } = await client.refresh(first.refresh_token);
    expect(status).toBe(200);
    const [before, after] = [decodeJwt(first.id_token!), decodeJwt(body.id_token)];
    for (const claim of ['iss', 'sub', 'aud', 'auth_time', 'sid']) expect(after[claim]).toEqual(before[claim]);
    expect(after.iat).toBe(before.iat! + 60);
    expect('nonce' in after).toBe(false);
    expect(body.scope).toBe(scope);
  });

  test('RFC 6749 §10.10: a refresh token names its grant, holds 256 bits and is kept as a hash only', async () => {
    const { refresh_token } = await tokens();
    const [, grant, secret] = /^rt_([0-9a-f-]{36})\.(.+)$/.exec(refresh_token)!;
    expect(Buffer.from(secret!, 'base64url')).toHaveLength(32);
    const stored = JSON.stringify(await auth.ports.log.readLane(auth.ports.log.laneOf(auth.school.id), 0, 10_000));
    expect([stored.includes(`grant-${grant}`), stored.includes(secret!)]).toEqual([true, false]);
  });

  test('RFC 9700 §4.14.2: a used refresh token is invalid_grant and ends the grant', async () => {
    const first = await tokens();
    const second = (await client.refresh(first.refresh_token)).body;
    auth.clock.advance(30_000);
    expect((await client.refresh(first.refresh_token)).body.error).toBe('invalid_grant');
    expect((await client.refresh(second.refresh_token)).body.error).toBe('invalid_grant');
    for (const { access_token } of [first, second])
      expect((await userinfo(auth.school, access_token)).status).toBe(401);
  });

  test('RFC 6749 §6: another client that tries a refresh token ends nothing', async () => {
    const first = await tokens();
    const stranger = await Client.register(auth.school.url);
    expect((await stranger.refresh(first.refresh_token)).body.error).toBe('invalid_grant');
    expect((await client.refresh(first.refresh_token)).status).toBe(200);
  });

  test('RFC 6749 §10.10: a made-up secret for a known grant ends nothing', async () => {
    const first = await tokens();
    const guess = `${first.refresh_token.slice(0, -43)}${'A'.repeat(43)}`;
    expect((await client.refresh(guess)).body.error).toBe('invalid_grant');
    expect((await client.refresh('nonsense')).body.error).toBe('invalid_grant');
    expect((await client.refresh(first.refresh_token)).status).toBe(200);
  });

  test('RFC 6749 §6: fewer scopes are fine, and the next refresh token keeps them all', async () => {
    const first = await tokens();
    const narrow = (await client.refresh(first.refresh_token, { scope: 'courses:read' })).body;
    expect([narrow.scope, 'id_token' in narrow]).toEqual(['courses:read', false]);
    expect((await client.refresh(narrow.refresh_token)).body.scope).toBe(scope);
  });

  test.each(['openid orders:read', 'everything', ' '])(
    'RFC 6749 §6: scope %j is invalid_scope and uses nothing up',
    async (asked) => {
      const first = await tokens();
      expect((await client.refresh(first.refresh_token, { scope: asked })).body.error).toBe('invalid_scope');
      expect((await client.refresh(first.refresh_token)).status).toBe(200);
    },
  );

  test('RFC 6749 §5.2: without refresh_token it is invalid_request', async () =>
    expect((await client.refresh('')).body.error).toBe('invalid_request'));

  test('RFC 9700 §4.14.2: a refresh token dies after 14 days without use', async () => {
    const first = await tokens();
    auth.clock.advance(14 * 86_400_000 - 1_000);
    const second = (await client.refresh(first.refresh_token)).body;
    expect(second.refresh_token).toBeDefined();
    auth.clock.advance(14 * 86_400_000);
    expect((await client.refresh(second.refresh_token)).body.error).toBe('invalid_grant');
    expect((await introspect(auth.school, client.id, second.refresh_token)).body).toEqual({ active: false });
  });
});
