import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type TestEdge, openTestEdge } from '../testing/test-edge.ts';
import { publicPaths } from '../discovery/openapi/public-documents.ts';

const [page, markdown, script] = ['text/html', 'text/markdown', 'text/javascript'].map(
  (type) => `${type}; charset=utf-8`,
);
const types: Record<string, string | undefined> = {
  '/': page,
  '/docs': page,
  '/docs/callback': page,
  '/auth.md': markdown,
  '/pricing.md': markdown,
  '/llms.txt': 'text/plain; charset=utf-8',
  '/robots.txt': 'text/plain; charset=utf-8',
  '/docs/explorer.js': script,
  '/docs/sign-in.js': script,
  '/mcp/server-card': 'application/mcp-server-card+json',
  '/.well-known/ai-catalog.json': 'application/ai-catalog+json',
  '/.well-known/api-catalog': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
};

/** What tells of offers may be kept, but is asked for again each time: a price must not be an old one. */
const cachingOf = (path: string): string =>
  ['/', '/llms.txt', '/pricing.md'].includes(path) ? 'public, no-cache' : 'public, max-age=300';

describe('prepared documents', () => {
  let edge: TestEdge;
  beforeAll(async () => {
    edge = await openTestEdge();
  });
  afterAll(() => edge.close());

  test('there are documents', () => {
    expect(publicPaths.length).toBeGreaterThan(13);
  });

  describe.each(publicPaths.map((path) => [path]))('%s', (path) => {
    test('GET gives it whole, cacheable for at most 300 seconds, to any origin', async () => {
      const { status, headers, text } = await edge.ask('GET', path, { Origin: 'https://app.example' });
      expect(status).toBe(200);
      expect(headers['content-type']).toBe(types[path] ?? 'application/json; charset=utf-8');
      expect(Number(headers['content-length'])).toBe(Buffer.byteLength(text));
      expect(headers['cache-control']).toBe(cachingOf(path));
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
      expect(headers).not.toHaveProperty('set-cookie');
      expect(headers['etag']).toMatch(/^"[\w-]{20,}"$/);
    });

    test('RFC 9110 §9.3.2: HEAD has the headers of GET and no body', async () => {
      const [get, head] = [await edge.ask('GET', path), await edge.ask('HEAD', path)];
      const { date: _a, 'x-request-id': _b, ...expected } = get.headers;
      expect(head.headers).toMatchObject(expected);
      expect([head.status, head.text]).toEqual([200, '']);
    });

    test('RFC 9110 §13.1.2: If-None-Match with its tag is 304 without a body, by weak comparison', async () => {
      const etag = (await edge.ask('GET', path)).headers['etag']!;
      for (const header of [etag, `W/${etag}`, `"other", ${etag}`, `"a,b",${etag}`, '*']) {
        const { status, headers, text } = await edge.ask('GET', path, { 'If-None-Match': header });
        expect([status, text]).toEqual([304, '']);
        expect(headers).toMatchObject({
          etag,
          'cache-control': cachingOf(path),
          'access-control-allow-origin': '*',
        });
      }
      for (const header of ['"other"', etag.slice(1, -1), `"x${etag.slice(1)}`, ''])
        expect((await edge.ask('GET', path, { 'If-None-Match': header })).status).toBe(200);
    });

    test('a query changes nothing', async () => {
      const [plain, queried] = [await edge.ask('GET', path), await edge.ask('GET', `${path}?a=1`)];
      expect(queried.text).toBe(plain.text);
    });

    test('a preflight may ask for MCP-Protocol-Version', async () => {
      const { status, headers, text } = await edge.ask('OPTIONS', path, {
        Origin: 'https://app.example',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'mcp-protocol-version',
      });
      expect([status, text]).toEqual([204, '']);
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-allow-methods']).toContain('GET');
      expect(headers['access-control-allow-headers']).toContain('MCP-Protocol-Version');
    });

    test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('RFC 9110 §15.5.6: %s is 405 with Allow', async (method) => {
      const { status, headers, text } = await edge.ask(method, path);
      expect([status, JSON.parse(text).error]).toEqual([405, 'method_not_allowed']);
      expect(headers['allow']).toBe('GET, HEAD, OPTIONS');
    });
  });
});
