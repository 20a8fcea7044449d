import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { errors, uiLocales } from '@lyceum/contracts';
import { Unavailable } from '@lyceum/eventlog';
import { Client, Person, approve, call, codeOf } from '@lyceum/testkit';
import { registerClient } from '../../domain/clients/client-registry.ts';
import { endpoints } from '../../matrix.ts';
import { languages } from '../../pages/texts/languages.ts';
import { unreadable } from '../../testing/faulty-log.ts';
import { type TestAuth, emailOf, password, startAuth, userinfo } from '../../testing/test-auth.ts';

let auth: TestAuth;
let client: Client;
beforeAll(async () => {
  auth = await startAuth();
  client = await Client.register(auth.school.url);
});
afterEach(() => auth.restart({}));
afterAll(() => auth.close());

const post = (path: string, body: URLSearchParams | string, headers: Record<string, string> = {}) =>
  fetch(`${auth.school.url}${path}`, { method: 'POST', body, headers, redirect: 'manual' });
const programs = ['register', 'token', 'revoke', 'introspect', 'userinfo'].map((name) => `/api/oauth/${name}`);
const people = ['/oauth/authorize', '/oauth/sign-in', '/oauth/consent'];
const jsonOf = async (response: Response) => (await response.json()) as Record<string, string>;

describe('every endpoint', () => {
  test.each([...programs, ...people])('RFC 6749 §5.1: nobody may keep an error of %s', async (path) => {
    const { headers } = await post(path, new URLSearchParams({ a: 'b' }));
    expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
  });

  test('RFC 6749 §5.1: nobody may keep an answer either', async () => {
    const { url, verifier } = client.start('openid');
    const back = await approve(new Person(), url, emailOf('owner'), password);
    const tokens = await client.redeem(codeOf(back), verifier);
    const about = await userinfo(auth.school, tokens.body.access_token);
    const form = { token: tokens.body.access_token as string, client_id: client.id };
    const told = await post('/api/oauth/introspect', new URLSearchParams(form));
    const revoked = await post('/api/oauth/revoke', new URLSearchParams(form));
    const registered = await call(`${auth.school.url}/api/oauth/register`, {
      json: { redirect_uris: [client.redirectUri] },
    });
    for (const { status, headers } of [back, tokens, about, told, revoked, registered]) {
      expect(status).toBeLessThan(400);
      expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
    }
  });

  test('newcomer 25: the line of a request says why a person was shown an error, or a client told by a redirect', async () => {
    const codesOf = async (query: Record<string, string>) => {
      const before = auth.lines.length;
      await fetch(`${auth.school.url}/oauth/authorize?${new URLSearchParams(query).toString()}`, {
        redirect: 'manual',
      });
      const line = auth.lines.slice(before).find((each) => each.includes('"route":"/oauth/authorize"'))!;
      return [Number(/"status":(\d+)/.exec(line)![1]), /"code":"(\w+)"/.exec(line)?.[1]];
    };
    const known = { client_id: client.id, redirect_uri: client.redirectUri };
    expect(await codesOf({ client_id: 'client_none', response_type: 'code' })).toEqual([400, 'invalid_request']);
    expect(await codesOf({ ...known, redirect_uri: 'https://evil.example/', response_type: 'code' })).toEqual([
      400,
      'invalid_request',
    ]);
    expect(await codesOf({ ...known, response_type: 'token' })).toEqual([303, 'unsupported_response_type']);
    const { url } = client.start('openid');
    expect(await codesOf(Object.fromEntries(url.searchParams))).toEqual([200, undefined]);
    const person = new Person();
    await person.submit(await person.visit(url), { email: emailOf('owner'), password: 'not the password' });
    const tried = auth.lines.filter((each) => each.includes('"route":"/oauth/sign-in"')).at(-1)!;
    expect([/"status":(\d+)/.exec(tried)![1], /"code":"(\w+)"/.exec(tried)?.[1]]).toEqual(['401', 'access_denied']);
  });

  test.each([...programs, ...people])('RFC 9110 §15.5.14: a body of more than 64 KiB is 413 at %s', async (path) => {
    const form = new URLSearchParams({ a: 'x'.repeat(64 * 1024) });
    const json = path.endsWith('register') ? { 'content-type': 'application/json' } : undefined;
    const { status } = await post(path, json ? JSON.stringify({ a: 'x'.repeat(64 * 1024) }) : form, json);
    expect(status).toBe(413);
  });

  test.each(['register', 'token', 'revoke', 'introspect'].map((name) => `/api/oauth/${name}`))(
    'RFC 9110 §8.4: a body with a content coding is refused as what it is at %s',
    async (path) => {
      const isJson = path.endsWith('register');
      const type = isJson ? 'application/json' : 'application/x-www-form-urlencoded';
      const body = isJson ? JSON.stringify({ redirect_uris: [client.redirectUri] }) : `client_id=${client.id}&token=x`;
      const refused = await post(path, body, { 'content-type': type, 'content-encoding': 'gzip' });
      expect([refused.status, await jsonOf(refused)]).toMatchObject([
        400,
        { error: 'invalid_request', error_description: expect.stringContaining('Content-Encoding') },
      ]);
      const plain = await post(path, body, { 'content-type': type, 'content-encoding': 'identity' });
      expect(await plain.text()).not.toContain('Content-Encoding');
    },
  );

  test.each([...programs, '/api/oauth/jwks'])(
    'RFC 9110 §15.5.6: %s answers another method with 405 and Allow',
    async (path) => {
      const response = await fetch(`${auth.school.url}${path}`, { method: 'PATCH' });
      expect([response.status, (await jsonOf(response))['error']]).toEqual([405, 'method_not_allowed']);
      expect(response.headers.get('allow')).toMatch(/GET|POST/);
    },
  );

  test('RFC 9110 §15.6.4: while the log is away it is 503 with Retry-After', async () => {
    auth.restart({ log: unreadable(auth.ports.log, '', () => new Unavailable('planted')) });
    for (const name of ['token', 'revoke', 'introspect']) {
      const response = await post(`/api/oauth/${name}`, new URLSearchParams({ client_id: client.id, token: 'x' }));
      expect([response.status, response.headers.has('retry-after')]).toEqual([503, true]);
      expect((await jsonOf(response))['error']).toBe('temporarily_unavailable');
    }
  });

  test('RFC 6749 §5.2: a fault of ours is 500 server_error and tells nothing more', async () => {
    auth.restart({ log: unreadable(auth.ports.log, '', () => new Error('planted secret')) });
    const response = await post('/api/oauth/token', new URLSearchParams({ client_id: client.id }));
    const text = await response.text();
    expect([response.status, JSON.parse(text).error, text.includes('planted')]).toEqual([500, 'server_error', false]);
  });

  test.each([
    ['server_error', () => new Error('planted')],
    ['temporarily_unavailable', () => new Unavailable('planted')],
  ])(
    'RFC 6749 §4.1.2.1: a fault of ours is told to the client as %s, once it is known where to',
    async (code, error) => {
      const { log } = auth.ports;
      const person = new Person();
      const { url } = client.start('openid', { state: 's' });
      await person.submit(await person.visit(url), { email: emailOf('owner'), password });
      auth.restart({ log: unreadable(log, 'session-', error) });
      const { status, left } = await person.visit(url);
      expect([status, left?.searchParams.get('error'), left?.searchParams.get('state')]).toEqual([303, code, 's']);
      expect(left!.href).not.toContain('planted');
    },
  );

  test('RFC 6749 §3.1: an empty parameter counts as omitted, and an unknown one is ignored', async () => {
    const { url } = client.start('openid', { nonce: '', prompt: '', max_age: '', resource: '', foo: 'bar' });
    expect((await new Person().visit(url)).text).toContain('name="password"');
    const token = await post('/api/oauth/revoke', new URLSearchParams({ token: '', client_id: client.id, foo: 'bar' }));
    expect((await jsonOf(token))['error']).toBe('invalid_request');
  });

  test('RFC 6749 §5.2: each error code has the status that its RFC gives it', () => {
    const codes = {
      400: ['invalid_request', 'invalid_grant', 'invalid_scope', 'unauthorized_client', 'unsupported_grant_type'],
      401: ['invalid_client', 'invalid_token'],
      403: ['insufficient_scope'],
      503: ['temporarily_unavailable'],
    };
    const also = ['invalid_target', 'invalid_redirect_uri', 'invalid_client_metadata'];
    for (const [status, named] of Object.entries({ ...codes, 400: [...codes[400], ...also] }))
      for (const code of named)
        expect([code, errors[code as keyof typeof errors].status]).toEqual([code, Number(status)]);
  });

  test('RFC 9700 §4.12: no answer is a 307 or 308, which would send a form on', async () => {
    const { url } = client.start('openid', { prompt: 'none' });
    const response = await fetch(`${auth.school.url}/oauth/authorize`, {
      method: 'POST',
      body: url.searchParams,
      redirect: 'manual',
    });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([303, null]);
  });

  test('OpenID Connect Discovery 1.0 §3: the languages that discovery names are those of the pages', () =>
    expect([...uiLocales].sort()).toEqual(Object.keys(languages).sort()));

  test('the table of endpoints names every path once', () => {
    const paths = endpoints.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
  });
});

describe('the answer of the authorization endpoint', () => {
  test('RFC 9207 §2: a success carries code, state and iss, once each and nothing else', async () => {
    const { url } = client.start('openid', { state: 'a b+c/ä%' });
    const { left } = await approve(new Person(), url, emailOf('owner'), password);
    expect([...left!.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state']);
    expect(left!.searchParams.get('iss')).toBe(auth.school.url);
    expect(left!.searchParams.get('state')).toBe('a b+c/ä%');
  });

  test('RFC 9207 §2: an error carries iss as well', async () => {
    const { left } = await new Person().visit(client.start('openid', { prompt: 'none' }).url);
    expect(left!.searchParams.get('iss')).toBe(auth.school.url);
  });

  test('RFC 6749 §4.1.2: a success without state is answered without state', async () => {
    const { url } = client.start('openid');
    url.searchParams.delete('state');
    const { left } = await approve(new Person(), url, emailOf('owner'), password);
    expect([...left!.searchParams.keys()].sort()).toEqual(['code', 'iss']);
  });

  test('RFC 6749 §10.10: a code has 256 bits and is kept as a hash only', async () => {
    const kept: string[] = [];
    const { ephemeral } = auth.ports;
    auth.restart({
      ephemeral: {
        ...ephemeral,
        putIfAbsent: (key, value, ttl) => (kept.push(key, value), ephemeral.putIfAbsent(key, value, ttl)),
      },
    });
    const code = codeOf(await approve(new Person(), client.start('openid').url, emailOf('owner'), password));
    expect(Buffer.from(code, 'base64url')).toHaveLength(32);
    expect([kept.length > 0, kept.join(' ').includes(code)]).toEqual([true, false]);
  });

  test('RFC 6749 §4.1.2.1: a client that did not register the grant is unauthorized_client', async () => {
    const { id } = await registerClient(
      auth.ports,
      auth.school.id,
      {
        application_type: 'web',
        redirect_uris: [client.redirectUri],
        token_endpoint_auth_method: 'none',
        grant_types: [],
        response_types: [],
        id_token_signed_response_alg: 'RS256',
      },
      'test',
    );
    const { left } = await new Person().visit(client.start('openid', { client_id: id }).url);
    expect(left!.searchParams.get('error')).toBe('unauthorized_client');
  });
});
