import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type TestEdge, addSchool, openTestEdge } from '../testing/test-edge.ts';

describe('front', () => {
  let edge: TestEdge;
  let bodies: string[];
  beforeAll(async () => {
    edge = await openTestEdge({
      school: () => {
        throw new Error('secret of the school');
      },
      auth: (async () => {
        throw new Error('secret of auth');
      }) as () => void,
      catalog: (request, response) => {
        let body = '';
        request.on('data', (chunk: Buffer) => (body += chunk.toString()));
        request.on('close', () => bodies.push(body));
        request.on('end', () => response.end(JSON.stringify({ school: request.headers['x-school-id'], body })));
      },
    });
  });
  beforeEach(() => {
    bodies = [];
    edge.logged.splice(0);
  });
  afterAll(() => edge.close());

  const abortAfter = async (bytes: string): Promise<void> => {
    const socket = connect(edge.port, '127.0.0.1');
    await once(socket, 'connect');
    await new Promise((written) => socket.write(bytes, written));
    await pause(20);
    socket.resetAndDestroy();
    await pause(20);
  };

  test('a request reaches the service of its path with the id of the school', async () => {
    const { status, text } = await edge.ask('GET', '/api/courses');
    expect([status, JSON.parse(text).school]).toEqual([200, 'school_home']);
  });

  test.each(['unknown.example', 'unknown.localhost', '127.0.0.1'])(
    'the unknown host %s is a JSON 404',
    async (host) => {
      const { status, headers, text } = await edge.ask('GET', '/api/courses', { Host: host });
      expect([status, JSON.parse(text).error]).toEqual([404, 'not_found']);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(bodies).toEqual([]);
    },
  );

  test.each([
    '/nothing',
    '/api',
    '/api/nothing',
    '/internal/schools',
    '/agent/identity',
    '/agent',
    '/favicon.ico',
    '/.well-known/nothing',
    '/.well-known/oauth-protected-resource/nothing',
    '/.well-known/agent-configuration',
    '/index.html',
    '//',
  ])('the unknown path %s is a JSON 404 for a program', async (path) => {
    const { status, headers, text } = await edge.ask('GET', path, { Accept: 'application/json' });
    expect(headers['vary']).toBe('Accept, Accept-Language');
    expect(status).toBe(404);
    expect(headers['content-type']).toContain('application/json');
    expect(JSON.parse(text)).toEqual({
      error: 'not_found',
      error_description: 'There is nothing at this path',
      request_id: headers['x-request-id'],
    });
  });

  const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

  test.each([
    ['suspended', 503, 'school_suspended', 'This school is not open at the moment'],
    ['closed', 410, 'school_closed', 'This school is closed'],
  ] as const)(
    'a %s school shows nothing of what it offers, and still how to sign in',
    async (closure, is, code, title) => {
      const school = edge.hosts.byId('school_home')!;
      edge.hosts.change(Object.freeze({ ...school, closure }));
      try {
        for (const path of ['/', '/llms.txt', '/pricing.md', '/courses/paper-lanterns']) {
          const { status, text, headers } = await edge.ask('GET', path, { Accept: 'application/json' });
          expect([path, status, JSON.parse(text).error]).toEqual([path, is, code]);
          expect(headers['retry-after']).toBe(closure === 'suspended' ? '3600' : undefined);
        }
        const page = await edge.ask('GET', '/', { ...browser, 'Accept-Language': 'en' });
        expect([page.status, page.text.includes(title)]).toEqual([is, true]);
        for (const path of ['/.well-known/openid-configuration', '/auth.md', '/openapi.json'])
          expect((await edge.ask('GET', path)).status).toBe(200);
        // What its services answer is theirs to decide: they know who asks.
        expect((await edge.ask('GET', '/api/courses')).status).toBe(200);
      } finally {
        edge.hosts.change(school);
      }
    },
  );

  test.each(['/nothing', '/%3Cscript%3Ealert(1)%3C/script%3E', '/"><img/onerror=x>'])(
    'RFC 9110 §12.5.1: a browser gets a page for the unknown path %s, without any of it, that leads to the school',
    async (path) => {
      const { status, headers, text } = await edge.ask('GET', encodeURI(path), {
        ...browser,
        'Accept-Language': 'de',
      });
      expect([status, headers['content-type'], headers['vary'], headers['cache-control']]).toEqual([
        404,
        'text/html; charset=utf-8',
        'Accept, Accept-Language',
        'no-store',
      ]);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/);
      expect(text).toContain('<html lang="de">');
      expect(text).toContain('href="/"');
      expect(text).not.toMatch(/script|onerror|nothing/);
    },
  );

  test('a browser gets a page for an unknown host, a program that names JSON beside it gets JSON', async () => {
    const Host = 'unknown.example';
    const page = await edge.ask('GET', '/', { Host, ...browser });
    expect([page.status, page.text.includes('There is no school at this address')]).toEqual([404, true]);
    expect(page.text).not.toContain('href="/"');
    const weighed = await edge.ask('GET', '/', { Host, Accept: 'application/json, text/html;q=0.9' });
    const posted = await edge.ask('POST', '/', { Host, ...browser });
    for (const { status, text } of [weighed, posted])
      expect([status, JSON.parse(text).error]).toEqual([404, 'not_found']);
  });

  test('RFC 9110 §12.5.4: the page of a school is in the language of its reader, and caches are told', async () => {
    const page = await edge.ask('GET', '/', { ...browser, 'Accept-Language': 'fr, ko;q=0.9, de;q=0.8' });
    expect(page.text).toContain('<html lang="ko">');
    expect(page.headers['vary']).toContain('Accept, Accept-Language');
    const german = await edge.ask('GET', '/', { ...browser, 'Accept-Language': 'de-AT' });
    expect(german.text).toContain('<html lang="de">');
    expect(german.headers['etag']).not.toBe(page.headers['etag']);
  });

  test('a request id that came with the request is kept; anything else than a plain word is replaced', async () => {
    expect((await edge.ask('GET', '/nothing', { 'X-Request-Id': 'trace:1-.a_B' })).headers['x-request-id']).toBe(
      'trace:1-.a_B',
    );
    for (const bad of ['a b', '<script>', '', 'x'.repeat(65)])
      expect((await edge.ask('GET', '/nothing', { 'X-Request-Id': bad })).headers['x-request-id']).toMatch(/^req_/);
  });

  test('every answer forbids sniffing and referrers, also that of a service', async () => {
    for (const path of ['/', '/nothing', '/api/courses', '/openapi.json', '/api/school']) {
      const { headers } = await edge.ask('GET', path);
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
      expect(headers).not.toHaveProperty('strict-transport-security');
    }
  });

  test('a page shares no window with whoever opened it, and no other document says so', async () => {
    for (const path of ['/', '/docs'])
      expect((await edge.ask('GET', path)).headers['cross-origin-opener-policy']).toBe('same-origin');
    expect((await edge.ask('GET', '/openapi.json')).headers).not.toHaveProperty('cross-origin-opener-policy');
  });

  test('RFC 6797 §7.2: a school at https asks for https ever after, one at http does not', async () => {
    addSchool(edge.hosts, { id: 'school_tls', host: 'tls.example', base_url: 'https://tls.example' });
    for (const path of ['/', '/nothing', '/api/courses'])
      expect((await edge.ask('GET', path, { Host: 'tls.example' })).headers['strict-transport-security']).toBe(
        'max-age=31536000',
      );
  });

  test.each(['/api/school', '/oauth/authorize'])(
    'a service that fails at %s is a 500 that echoes nothing',
    async (path) => {
      const { status, text } = await edge.ask('GET', path);
      expect([status, JSON.parse(text).error]).toEqual([500, 'server_error']);
      expect(text).not.toContain('secret');
      expect(edge.logged).toContainEqual(
        expect.objectContaining({ module: path === '/api/school' ? 'school' : 'auth' }),
      );
    },
  );

  test('a client that goes away in the middle of a body harms nobody, and the service never hears of it', async () => {
    const head = `POST /api/courses HTTP/1.1\r\nHost: 127.0.0.1:${edge.port}\r\n`;
    await abortAfter(`${head}Content-Length: 1000\r\n\r\npart of it`);
    await abortAfter(`${head}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`);
    await abortAfter(`${head}Content-Le`);
    expect(bodies).toEqual([]);
    expect((await edge.ask('GET', '/api/courses')).status).toBe(200);
  });

  test('a client that goes away before the answer harms nobody', async () => {
    for (const path of ['/openapi.json', '/api/courses', '/api/school', '/nothing']) {
      const socket = connect(edge.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${edge.port}\r\n\r\n`);
      socket.resetAndDestroy();
    }
    await pause(30);
    expect((await edge.ask('GET', '/openapi.json')).status).toBe(200);
  });

  test('a service is told the address behind a trusted proxy, and only then', async () => {
    const told = async (trusting: readonly string[]) => {
      const behind = await openTestEdge({}, { trusting });
      await behind.ask('GET', '/api/courses', { 'X-Forwarded-For': '198.51.100.7, 203.0.113.1' });
      await behind.close();
      const [{ headers }] = behind.seen as [(typeof behind.seen)[number]];
      expect(headers).not.toHaveProperty('x-forwarded-for');
      return headers['x-client-address'];
    };
    expect(await told(['127.0.0.0/8'])).toBe('203.0.113.1');
    expect(await told([])).toBe('127.0.0.1');
  });

  test('one line is logged per answer of its own, with the path only where it is known', async () => {
    await edge.ask('GET', '/openapi.json?token=planted');
    await edge.ask('GET', '/planted-secret', { Authorization: 'Bearer planted' });
    expect(edge.logged).toMatchObject([
      { method: 'GET', route: '/openapi.json', status: 200, school: 'school_home' },
      { method: 'GET', route: '-', path: '/*', code: 'not_found', status: 404 },
    ]);
    expect(JSON.stringify(edge.logged)).not.toContain('planted');
  });

  test('pages with a name in their path are one route, however many names are asked for', async () => {
    for (const path of ['/courses/one-of-many', '/courses/another', '/p/about-us', '/posts/first-post', '/posts'])
      await edge.ask('GET', path);
    const routes = edge.logged.map(({ route }) => route);
    expect(routes).toEqual(['/courses/{slug}', '/courses/{slug}', '/p/{slug}', '/posts/{slug}', '/posts']);
  });

  test('error descriptions are printable ASCII without quotes and backslashes (RFC 6749 §5.2)', async () => {
    for (const path of ['/nothing', '/..', '*', '/api/school']) {
      const { error_description } = JSON.parse((await edge.ask('GET', path)).text);
      expect(error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    }
  });
});
