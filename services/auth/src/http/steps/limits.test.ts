import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { EphemeralUnavailable, memoryEphemeral } from '@lyceum/ephemeral';
import { type Answer, Client, Person, call, codeOf, approve, post } from '@lyceum/testkit';
import { RateLimiter } from '@lyceum/web';
import { accessTokenReader } from '../../domain/tokens/read-access-token.ts';
import {
  type TestAuth,
  emailOf,
  introspect,
  password,
  registerConfidential,
  startAuth,
  userinfo,
} from '../../testing/test-auth.ts';
import { forgeriesAt } from './limits.ts';

const metadata = { redirect_uris: ['http://127.0.0.1:1/callback'] };

describe('limits per minute', () => {
  let auth: TestAuth;
  beforeEach(async () => {
    auth = await startAuth({ limitFactor: 1 });
  });
  afterEach(() => auth.close());

  /** Asks until it is refused; how often it was not, and the refusal. */
  async function until429(ask: () => Promise<{ status: number; headers: Headers }>) {
    for (let answered = 0; answered < 1_000; answered += 1) {
      const { status, headers } = await ask();
      if (status === 429) return { answered, wait: headers.get('retry-after'), limit: headers.get('ratelimit') };
    }
    throw new Error('it was never refused');
  }
  const register = () => call(`${auth.school.url}/api/oauth/register`, { json: metadata });
  const token = (client_id: string) =>
    post(`${auth.school.url}/api/oauth/token`, { grant_type: 'refresh_token', refresh_token: 'none', client_id });

  test('registrations are 10 per address, each answer says how many are left, and the 11th is 429 rate_limited', async () => {
    const first = await register();
    expect(first.status).toBe(201);
    expect(first.headers.get('ratelimit-policy')).toBe('"register";q=10;w=60');
    expect(first.headers.get('ratelimit')).toBe('"register";r=9;t=6');
    expect(first.headers.get('access-control-expose-headers')).toContain('RateLimit');
    const malformed = await call(`${auth.school.url}/api/oauth/register`, { json: { redirect_uris: [] } });
    expect([malformed.status, malformed.headers.get('ratelimit')]).toEqual([400, '"register";r=8;t=6']);
    expect(await until429(register)).toEqual({ answered: 8, wait: '6', limit: '"register";r=0;t=6' });
    const { status, headers, body } = await register();
    expect([status, body]).toEqual([
      429,
      {
        error: 'rate_limited',
        error_description: 'Too many requests under the policy register',
        request_id: headers.get('x-request-id'),
      },
    ]);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('come back one by one, all of them after a minute', async () => {
    await until429(register);
    auth.clock.advance(6_000);
    expect((await until429(register)).answered).toBe(1);
    auth.clock.advance(60_000);
    expect((await until429(register)).answered).toBe(10);
  });

  test('hold back neither another address nor another school, but the other addresses of the same IPv6 network', async () => {
    auth.caller.address = '2001:db8::1';
    await until429(register);
    auth.caller.address = '2001:db8::ffff:2';
    expect((await register()).status).toBe(429);
    expect((await call(`${auth.other.url}/api/oauth/register`, { json: metadata })).status).toBe(201);
    auth.caller.address = '2001:db8:0:1::1';
    expect((await register()).status).toBe(201);
  });

  test('of the token endpoint are 60 per client and address, also when the client is not authenticated', async () => {
    const { client_id } = await registerConfidential(auth.school);
    expect((await until429(() => token(client_id))).answered).toBe(60);
    expect((await token('another client')).status).toBe(401);
    auth.caller.address = '192.0.2.9';
    expect((await token(client_id)).status).toBe(401);
  });

  test('count a client that authenticates by HTTP Basic under its name', async () => {
    const basic = (id: string) =>
      call(`${auth.school.url}/api/oauth/token`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${id}:secret`).toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
      });
    expect((await until429(() => basic('one'))).answered).toBe(60);
    expect((await basic('two')).status).toBe(401);
    expect((await token('one')).status).toBe(429);
  });

  test('of revocations are 60 per client and address', async () => {
    const client = await Client.register(auth.school.url);
    expect(await until429(() => client.revoke('none'))).toMatchObject({ answered: 60, limit: '"revoke";r=0;t=1' });
  });

  test('of introspection are 600 per authenticated client, which no stranger can use up', async () => {
    const { client_id, client_secret } = await registerConfidential(auth.school);
    const ask = (form: Record<string, string>) =>
      post(`${auth.school.url}/api/oauth/introspect`, { token: 'none', client_id, ...form });
    for (let stranger = 0; stranger < 20; stranger += 1)
      expect((await ask({ client_secret: 'guessed' })).status).toBe(401);
    const answer: Answer = await ask({ client_secret });
    expect(answer.headers.get('ratelimit')).toBe('"introspect";r=599;t=1');
    auth.caller.address = '192.0.2.9';
    expect((await until429(() => ask({ client_secret }))).answered).toBe(599);
    expect((await introspect(auth.school, (await Client.register(auth.school.url)).id, 'none')).status).toBe(200);
  });

  test('RFC 6585 §4: whoever is refused before being counted is counted by address, and told', async () => {
    const { client_id } = await registerConfidential(auth.school);
    const ask = (path: string, init: RequestInit) => fetch(`${auth.school.url}/api/oauth/${path}`, init);
    const form = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) });
    const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
    const twice = { method: 'POST', body: new URLSearchParams('client_id=a&client_id=b') };
    const told = async (path: string, init: RequestInit) => {
      const { status, headers } = await ask(path, init);
      return `${status} ${headers.get('ratelimit')}`;
    };
    expect(await told('token', json)).toBe('400 "token";r=59;t=1');
    expect(await told('token', twice)).toBe('400 "token";r=59;t=1');
    expect(await told('revoke', json)).toBe('400 "revoke";r=59;t=1');
    expect(await told('revoke', { method: 'PUT' })).toBe('405 "revoke";r=58;t=1');
    expect(await told('introspect', json)).toBe('400 "introspect";r=599;t=1');
    expect(await told('introspect', form({ token: 'none', client_id, client_secret: 'guessed' }))).toBe(
      '401 "introspect";r=598;t=1',
    );
    expect(await told('introspect', form({ token: 'none' }))).toBe('401 "introspect";r=597;t=1');
    expect(await until429(() => ask('token', json))).toEqual({ answered: 59, wait: '1', limit: '"token";r=0;t=1' });
    expect((await token(client_id)).status).toBe(401);
  });

  test('of UserInfo are 120 per person, whatever the token and the address; without a good token per address', async () => {
    const client = await Client.register(auth.school.url);
    const one = await client.tokens(emailOf('owner'), password, 'openid');
    const two = await client.tokens(emailOf('owner'), password, 'openid');
    const other = await client.tokens(emailOf('member'), password, 'openid');
    const bad = await until429(() => userinfo(auth.school, 'none'));
    expect(bad.answered).toBe(120);
    expect((await userinfo(auth.school, one.access_token)).status).toBe(200);
    auth.caller.address = '192.0.2.9';
    expect((await until429(() => userinfo(auth.school, two.access_token))).answered).toBe(119);
    expect((await userinfo(auth.school, other.access_token)).status).toBe(200);
    expect((await userinfo(auth.school, 'none')).status).toBe(401);
  });

  test('made-up tokens at UserInfo cost no more signatures than its quota, the same one only one', async () => {
    const client = await Client.register(auth.school.url);
    const { access_token: good } = await client.tokens(emailOf('owner'), password, 'openid');
    const { access_token: fresh } = await client.tokens(emailOf('member'), password, 'openid');
    const forgeries = forgeriesAt(auth.clock, 1);
    let checked = 0;
    const begin = (from: string) => {
      const settle = forgeries.begin(from);
      checked += 1;
      return settle;
    };
    const { keys, clock } = auth.ports;
    auth.restart({ accessTokens: accessTokenReader({ keys, clock, forgeries: { begin } }) });
    const forged = (by: number, token = good) =>
      `${token.slice(0, token.lastIndexOf('.'))}.${String(by).padStart(86, 'A')}`;
    expect((await userinfo(auth.school, good)).status).toBe(200);
    for (let shown = 0; shown < 10; shown += 1) expect((await userinfo(auth.school, forged(1))).status).toBe(401);
    await userinfo(auth.school, 'a.b.c');
    const before = checked;
    expect(before).toBeLessThanOrEqual(2);
    for (let shown = 2; shown < 200; shown += 1) await userinfo(auth.school, forged(shown));
    expect(checked).toBeLessThanOrEqual(before + 120);
    const refused = await userinfo(auth.school, fresh);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await userinfo(auth.school, good)).status).toBe(200);
    auth.caller.address = '192.0.2.9';
    expect((await userinfo(auth.school, fresh)).status).toBe(200);
  });

  test('of authorization requests are 60 per address, and a person sees a page', async () => {
    const client = await Client.register(auth.school.url);
    const { url } = client.start('openid');
    const person = new Person();
    expect((await until429(() => person.visit(url))).answered).toBe(60);
    const page = await new Person().visit(url);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.text).toContain('Too many attempts. Try again in 1 second.');
  });

  test('of forms are 60 per address', async () => {
    const forms = () => post(`${auth.school.url}/oauth/consent`, { decision: 'approve' });
    expect((await until429(forms)).answered).toBe(60);
    expect((await until429(() => post(`${auth.school.url}/oauth/sign-in`, {}))).answered).toBe(0);
  });
});

test('when the store of counts is away nobody is held up: it is logged, and each line says that it was not counted', async () => {
  const auth = await startAuth({ limitFactor: 0.001 });
  const { clock, logger } = auth.ports;
  const take = () => Promise.reject(new EphemeralUnavailable('Redis cannot be reached'));
  auth.restart({ limits: new RateLimiter({ ephemeral: { take }, clock, logger }, 0.001) });
  const client = await Client.register(auth.school.url);
  const { url, verifier } = client.start('openid');
  const { status, headers } = await client.redeem(
    codeOf(await approve(new Person(), url, emailOf('owner'), password)),
    verifier,
  );
  expect([status, headers.get('ratelimit'), headers.get('ratelimit-policy')]).toEqual([200, null, '"token";q=1;w=60']);
  expect(auth.lines.filter((line) => line.includes('requests cannot be counted'))).toHaveLength(1);
  const line = auth.lines.find((each) => each.includes('"route":"/api/oauth/token"'));
  expect(line).toContain('"policy":"token","limit":"unknown"');
  await auth.close();
});

test('W3C Trace Context §3.2: the line of a request names its trace, and none that is malformed', async () => {
  const auth = await startAuth();
  const trace = '0af7651916cd43dd8448eb211c80319c';
  for (const traceparent of [`00-${trace}-b7ad6b7169203331-00`, 'made up'])
    await fetch(`${auth.school.url}/api/oauth/jwks`, { headers: { traceparent } });
  const lines = auth.lines.filter((line) => line.includes('"route":"/api/oauth/jwks"'));
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain(`"trace_id":"${trace}"`);
  expect(lines[1]).not.toContain('trace_id');
  await auth.close();
});

test('codes are no counts: without the store none is given', async () => {
  const auth = await startAuth();
  const away = new Proxy(memoryEphemeral(auth.clock), {
    get: () => () => Promise.reject(new EphemeralUnavailable('Redis cannot be reached')),
  });
  const client = await Client.register(auth.school.url);
  const person = new Person();
  const page = await person.submit(await person.visit(client.start('openid').url), {
    email: emailOf('owner'),
    password,
  });
  auth.restart({ ephemeral: away });
  const back = await person.submit(page, { decision: 'approve' });
  expect([back.status, back.left, back.headers.get('retry-after')]).toEqual([503, undefined, '1']);
  await auth.close();
});
