import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type TestEdge, openTestEdge } from '../testing/test-edge.ts';

describe('a custom domain', () => {
  let edge: TestEdge;
  let base: string;
  let at: (path: string, method?: string) => ReturnType<TestEdge['ask']>;
  beforeAll(async () => {
    edge = await openTestEdge();
    base = `http://127.0.0.1:${edge.port}`;
    edge.hosts.addDomain('school_home', 'academy.example', '2026-01-06T08:00:00.000Z');
    at = (path, method = 'GET') => edge.ask(method, path, { Host: `academy.example:${edge.port}` });
  });
  afterAll(() => edge.close());

  test('serves what the school says to everybody, with the addresses of the issuer', async () => {
    for (const path of ['/', '/llms.txt', '/pricing.md', '/auth.md', '/openapi.json', '/.well-known/api-catalog']) {
      const [here, there] = [await at(path), await edge.ask('GET', path)];
      expect([path, here.status, here.text === there.text]).toEqual([path, 200, true]);
      expect(here.text).not.toContain('academy.example');
    }
    // RFC 6596: search engines are told which of the addresses is the one.
    expect((await at('/')).headers['link']).toContain(`<${base}/>; rel="canonical"`);
  });

  test('leads to the services, as the school', async () => {
    await at('/api/courses?limit=2');
    expect(edge.seen.at(-1)).toMatchObject({ url: '/api/courses?limit=2', headers: { 'x-school-id': 'school_home' } });
    expect((await at('/api/oauth/jwks.json')).status).toBe(200);
  });

  test('tells the services where they are asked, and nobody outside can', async () => {
    const said = () => edge.seen.at(-1)!.headers['x-school-origin'];
    await at('/api/courses');
    expect(said()).toBe(`http://academy.example:${edge.port}`);
    const forged = { 'X-School-Origin': 'https://evil.test' };
    await edge.ask('GET', '/api/courses', forged);
    expect(said()).toBeUndefined();
    await edge.ask('GET', '/api/courses', { ...forged, Host: `academy.example:${edge.port}` });
    expect(said()).toBe(`http://academy.example:${edge.port}`);
  });

  test.each(['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'])(
    'RFC 8414 §3.3: at a custom domain %s leads to the issuer, whose name it says',
    async (path) => {
      const { status, headers, text } = await at(path);
      expect([status, headers['location'], headers['access-control-allow-origin'], text]).toEqual([
        308,
        base + path,
        '*',
        '',
      ]);
      const found = JSON.parse((await edge.ask('GET', path)).text);
      expect(found.issuer).toBe(base);
    },
  );

  test.each([
    ['/.well-known/oauth-protected-resource', ''],
    ['/.well-known/oauth-protected-resource/mcp', '/mcp'],
  ])(
    'RFC 9728 §3.3: at a custom domain %s names the address that was asked, and the one issuer',
    async (path, below) => {
      const { status, headers, text } = await at(path);
      expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
      const [here, there] = [JSON.parse(text), JSON.parse((await edge.ask('GET', path)).text)];
      expect(there.resource).toBe(base + below);
      expect(here).toEqual({ ...there, resource: `http://academy.example:${edge.port}${below}` });
      expect(here.authorization_servers).toEqual([base]);
      const again = await edge.ask('GET', path, {
        Host: `academy.example:${edge.port}`,
        'If-None-Match': headers['etag']!,
      });
      expect(again.status).toBe(304);
      expect((await edge.ask('GET', path, { 'If-None-Match': headers['etag']! })).status).toBe(200);
    },
  );

  test('signs nobody in: sign-in and the page for trying calls are where their cookies and redirect URIs are', async () => {
    const seen = edge.seen.length;
    for (const path of ['/oauth/authorize?state=a%20b&scope=openid', '/oauth', '/docs', '/docs/callback?code=1', '//x'])
      expect([path, (await at(path)).headers['location']]).toEqual([path, path === '//x' ? undefined : base + path]);
    expect(edge.seen).toHaveLength(seen);
    for (const path of ['/oauthx', '/docsx']) expect((await at(path)).status).toBe(404);
  });

  test('RFC 9700 §4.12: sends no form on', async () => {
    const seen = edge.seen.length;
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers, text } = await at('/oauth/login', method);
      expect([method, status, headers['location']]).toEqual([method, 404, undefined]);
      expect(JSON.parse(text)).toMatchObject({ error: 'not_found', error_description: `This is at ${base}` });
    }
    expect(edge.seen).toHaveLength(seen);
  });

  test('is a JSON 404 as soon as it is removed', async () => {
    edge.hosts.addDomain('school_home', 'gone.example', '2026-01-06T08:00:00.000Z');
    edge.hosts.removeDomain('school_home', 'gone.example');
    const { status, text } = await edge.ask('GET', '/', { Host: `gone.example:${edge.port}` });
    expect([status, JSON.parse(text).error]).toEqual([404, 'not_found']);
  });
});
