import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, post } from '@lyceum/testkit';
import { decodeJwt } from 'jose';
import { dyingAfterAppend, dyingBeforeAppend } from '../../testing/faulty-log.ts';
import {
  type TestAuth,
  approved,
  introspect,
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

const send = (form: Record<string, string>) => post(`${auth.school.url}/api/oauth/token`, form);
const formOf = ({ code, verifier }: { code: string; verifier: string }, changes: Record<string, string> = {}) => ({
  grant_type: 'authorization_code',
  client_id: client.id,
  redirect_uri: client.redirectUri,
  code,
  code_verifier: verifier,
  ...changes,
});
const verifier = 'v'.repeat(43);

describe('POST /api/oauth/token with a code', () => {
  test.each(['grant_type', 'code', 'redirect_uri', 'code_verifier'])(
    'RFC 6749 §5.2: without %s it is invalid_request',
    async (name) => {
      const { status, body } = await send(formOf({ code: 'c', verifier }, { [name]: '' }));
      expect([status, body.error]).toEqual([400, 'invalid_request']);
    },
  );

  test.each(['short', 'v'.repeat(129), `${'v'.repeat(43)}!`])(
    'RFC 7636 §4.1: the verifier %j is invalid_request',
    async (code_verifier) => {
      const { status, body } = await send(formOf({ code: 'c', verifier }, { code_verifier }));
      expect([status, body.error]).toEqual([400, 'invalid_request']);
    },
  );

  test.each(['password', 'client_credentials', 'urn:ietf:params:oauth:grant-type:jwt-bearer', 'claim'])(
    'RFC 6749 §5.2: grant type %s is unsupported_grant_type',
    async (grant_type) => {
      const { status, body } = await send(formOf({ code: 'c', verifier }, { grant_type }));
      expect([status, body.error]).toEqual([400, 'unsupported_grant_type']);
    },
  );

  test('RFC 6749 §5.2: a grant type that the client did not register is unauthorized_client', async () => {
    const single = await Client.register(auth.school.url, { grant_types: ['authorization_code'] });
    const { body } = await send({ grant_type: 'refresh_token', client_id: single.id, refresh_token: 'x' });
    expect(body.error).toBe('unauthorized_client');
    const started = await approved(single);
    const tokens = (await single.redeem(started.code, started.verifier)).body;
    expect(tokens.access_token).toBeDefined();
    expect('refresh_token' in tokens).toBe(false);
  });

  test('RFC 6749 §3.2: parameters in the query string are ignored', async () => {
    const started = await approved(client);
    const query = new URLSearchParams(formOf(started)).toString();
    const { body } = await post(`${auth.school.url}/api/oauth/token?${query}`, { client_id: client.id });
    expect(body.error).toBe('invalid_request');
    expect((await client.redeem(started.code, started.verifier)).status).toBe(200);
  });

  test.each([
    ['an unknown client', { client_id: 'client_00000000-0000-7000-8000-000000000000' }],
    ['no client', { client_id: '' }],
    ['a secret from a public client', { client_secret: 'x' }],
  ])('RFC 6749 §5.2: %s is 401 invalid_client', async (_, changes) => {
    const { status, body } = await send(formOf({ code: 'c', verifier }, changes));
    expect([status, body.error]).toEqual([401, 'invalid_client']);
  });

  test('RFC 6749 §5.2: a refused Authorization header is answered with its scheme', async () => {
    const attempt = (body: Record<string, string>) =>
      fetch(`${auth.school.url}/api/oauth/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${client.id}:x`)}` },
        body: new URLSearchParams(body),
      });
    const refused = await attempt(formOf({ code: 'c', verifier }));
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      `Basic realm="${auth.school.url}"`,
    ]);
    const twice = await attempt(formOf({ code: 'c', verifier }, { client_secret: 'x' }));
    expect([twice.status, ((await twice.json()) as { error: string }).error]).toEqual([400, 'invalid_request']);
  });

  test('RFC 6749 §2.3.1: a confidential client needs its secret', async () => {
    const { client_id, client_secret } = await registerConfidential(auth.school);
    for (const [secret, status] of [
      ['', 401],
      ['wrong', 401],
      [client_secret, 400],
    ] as const) {
      const answer = await send(formOf({ code: 'c', verifier }, { client_id, client_secret: secret }));
      expect(answer.status).toBe(status);
    }
  });

  test.each<[string, Record<string, string>]>([
    ['a wrong verifier', { code_verifier: verifier }],
    ['another redirect_uri', { redirect_uri: 'http://127.0.0.1:53682/other' }],
    ['another port', { redirect_uri: 'http://127.0.0.1:53683/callback' }],
    ['an unknown code', { code: 'x'.repeat(43) }],
  ])('RFC 6749 §4.1.3: %s is invalid_grant and leaves the code as it is', async (_, changes) => {
    const started = await approved(client);
    const { status, body } = await send(formOf(started, changes));
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
    expect((await client.redeem(started.code, started.verifier)).status).toBe(200);
  });

  test('RFC 7636 §4.6: the fifth failed check burns a code, and that revokes nothing', async () => {
    const started = await approved(client);
    for (let attempt = 0; attempt < 5; attempt += 1) await send(formOf(started, { code_verifier: verifier }));
    expect((await client.redeem(started.code, started.verifier)).body.error).toBe('invalid_grant');
    const commits = await auth.ports.log.readLane(auth.ports.log.laneOf(auth.school.id), 0, 10_000);
    expect(commits.at(-1)!.events[0]!.type).toBe('GrantIssued');
  });

  test('RFC 6749 §4.1.2: a code lives for a minute', async () => {
    const [late, early] = [await approved(client), await approved(client)];
    auth.clock.advance(59_000);
    expect((await client.redeem(early.code, early.verifier)).status).toBe(200);
    auth.clock.advance(1_000);
    expect((await client.redeem(late.code, late.verifier)).body.error).toBe('invalid_grant');
  });

  test('RFC 6749 §4.1.2: a second redemption is invalid_grant and voids the tokens of the first', async () => {
    const started = await approved(client);
    const { body } = await client.redeem(started.code, started.verifier);
    expect((await userinfo(auth.school, body.access_token)).status).toBe(200);
    auth.clock.advance(120_000);
    expect((await client.redeem(started.code, started.verifier)).body.error).toBe('invalid_grant');
    expect((await userinfo(auth.school, body.access_token)).status).toBe(401);
    expect((await introspect(auth.school, client.id, body.access_token)).body).toEqual({ active: false });
    expect((await client.refresh(body.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('RFC 6749 §4.1.3: another client that tries a code ends nothing, before and after its redemption', async () => {
    const stranger = await Client.register(auth.school.url);
    const started = await approved(client);
    expect((await stranger.redeem(started.code, started.verifier)).body.error).toBe('invalid_grant');
    const { body } = await client.redeem(started.code, started.verifier);
    expect((await stranger.redeem(started.code, started.verifier)).body.error).toBe('invalid_grant');
    expect((await userinfo(auth.school, body.access_token)).status).toBe(200);
  });

  test('RFC 6749 §4.1.2: a process that dies before the append leaves the code good', async () => {
    const started = await approved(client);
    auth.restart({ log: dyingBeforeAppend(auth.ports.log) });
    expect((await client.redeem(started.code, started.verifier)).status).toBe(503);
    auth.restart({});
    expect((await client.redeem(started.code, started.verifier)).status).toBe(200);
  });

  test('RFC 6749 §4.1.2: a process that dies after the append has used the code, and the retry ends the grant', async () => {
    const started = await approved(client);
    auth.restart({ log: dyingAfterAppend(auth.ports.log) });
    expect((await client.redeem(started.code, started.verifier)).status).toBe(503);
    auth.restart({});
    const { status, body } = await client.redeem(started.code, started.verifier);
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
    const commits = await auth.ports.log.readLane(auth.ports.log.laneOf(auth.school.id), 0, 10_000);
    expect(commits.at(-1)!.events.map(({ type }) => type)).toEqual(['CodeReplayed', 'GrantRevoked']);
  });

  test('RFC 6749 §4.1.2: of 50 parallel redemptions exactly one succeeds, and its tokens are void', async () => {
    for (let round = 0; round < 4; round += 1) {
      const started = await approved(client);
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => client.redeem(started.code, started.verifier)),
      );
      const winners = answers.filter(({ status }) => status === 200);
      expect(winners).toHaveLength(1);
      expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(49);
      const [{ body }] = winners as [(typeof answers)[number]];
      expect((await userinfo(auth.school, body.access_token)).status).toBe(401);
      expect((await client.refresh(body.refresh_token)).body.error).toBe('invalid_grant');
    }
  });
});

describe('the resource of a token', () => {
  const redeem = async (atAuthorize: Record<string, string>, resources: readonly string[]) => {
    const started = await approved(client, 'openid', { more: atAuthorize });
    const form = new URLSearchParams(formOf(started));
    for (const resource of resources) form.append('resource', resource);
    const response = await fetch(`${auth.school.url}/api/oauth/token`, { method: 'POST', body: form });
    const body = (await response.json()) as { access_token: string; refresh_token: string; error?: string };
    return { ...body, aud: body.access_token ? decodeJwt(body.access_token).aud : undefined };
  };

  test('RFC 8707 §2.2: is the school by default, and exactly what is named otherwise', async () => {
    const { url } = auth.school;
    expect((await redeem({}, [])).aud).toBe(url);
    expect((await redeem({}, [`${url}/`])).aud).toBe(`${url}/`);
    expect((await redeem({}, [`${url}/mcp`, `${url}/api`])).aud).toEqual([`${url}/mcp`, `${url}/api`]);
    expect((await redeem({ resource: `${url}/mcp` }, [])).aud).toBe(`${url}/mcp`);
    expect((await redeem({ resource: `${url}/mcp` }, [`${url}/mcp`])).aud).toBe(`${url}/mcp`);
  });

  test('RFC 8707 §2.2: is invalid_target when it is foreign or was not named before', async () => {
    const { url } = auth.school;
    expect((await redeem({}, ['https://api.evil.test'])).error).toBe('invalid_target');
    expect((await redeem({}, [`${url}/mcp/../api`])).error).toBe('invalid_target');
    expect((await redeem({ resource: `${url}/mcp` }, [`${url}/api`])).error).toBe('invalid_target');
  });

  test('RFC 8707 §2.2: cannot change at a refresh', async () => {
    const { url } = auth.school;
    const { refresh_token } = await redeem({}, [`${url}/mcp`]);
    expect((await client.refresh(refresh_token, { resource: url })).body.error).toBe('invalid_target');
    const { body } = await client.refresh(refresh_token, { resource: `${url}/mcp` });
    expect(decodeJwt(body.access_token).aud).toBe(`${url}/mcp`);
    expect(decodeJwt((await client.refresh(body.refresh_token)).body.access_token).aud).toBe(`${url}/mcp`);
  });
});
