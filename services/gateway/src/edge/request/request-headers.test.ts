import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type TestEdge, addSchool, openTestEdge } from '../../testing/test-edge.ts';

/** The parser that Node uses may be told to be lenient, or change: the front must not need its help. */
describe('hygiene behind a lenient parser', () => {
  let edge: TestEdge;
  beforeAll(async () => {
    edge = await openTestEdge({}, { lenient: true });
  });
  beforeEach(() => void edge.seen.splice(0));
  afterAll(() => edge.close());

  test.each([
    ['RFC 9112 §6.1: Content-Length beside Transfer-Encoding', ['Content-Length: 5', 'Transfer-Encoding: chunked']],
    ['RFC 9112 §6.1: Transfer-Encoding beside Content-Length', ['Transfer-Encoding: chunked', 'Content-Length: 5']],
    ['RFC 9112 §6.1: two transfer codings', ['Transfer-Encoding: identity', 'Transfer-Encoding: chunked']],
    ['RFC 9112 §6.1: a transfer coding before chunked', ['Transfer-Encoding: gzip, chunked']],
  ])('%s is 400', async (_title, framing) => {
    const head = ['POST /api/courses HTTP/1.1', `Host: 127.0.0.1:${edge.port}`, ...framing, 'Connection: close'];
    const { status, text } = await edge.raw(`${head.join('\r\n')}\r\n\r\n0\r\n\r\n`);
    expect([status, JSON.parse(text).error]).toEqual([400, 'invalid_request']);
    expect(edge.seen).toEqual([]);
  });
});

describe('hygiene', () => {
  let edge: TestEdge;
  let host: string;
  beforeAll(async () => {
    edge = await openTestEdge();
    host = `127.0.0.1:${edge.port}`;
    addSchool(edge.hosts, {
      id: 'school_quay',
      host: 'quay.localhost',
      base_url: `http://quay.localhost:${edge.port}`,
    });
  });
  beforeEach(() => void edge.seen.splice(0));
  afterAll(() => edge.close());

  const lines = (...all: readonly string[]): string => `${all.join('\r\n')}\r\nConnection: close\r\n\r\n`;
  const refused = async (bytes: string): Promise<string> => {
    const { status, text } = await edge.raw(bytes);
    expect(status).toBe(400);
    expect(edge.seen).toEqual([]);
    return text === '' ? '' : JSON.parse(text).error;
  };

  test('RFC 9112 §3.2: two Host headers are 400, equal or not, and no service hears of it', async () => {
    for (const second of [host, 'quay.localhost', 'evil.example'])
      expect(await refused(lines('GET /api/courses HTTP/1.1', `Host: ${host}`, `hOST: ${second}`))).toBe(
        'invalid_request',
      );
  });

  test('RFC 9112 §3.2: a request without Host is 400', async () => {
    await refused(lines('GET /api/courses HTTP/1.1'));
  });

  test('RFC 9112 §3.2: HTTP/1.0 without Host is 400 too: nothing else tells the school', async () => {
    expect(await refused(lines('GET /api/courses HTTP/1.0'))).toBe('invalid_request');
  });

  test.each(['', ' ', 'a b', 'user@127.0.0.1', '127.0.0.1/x', '127.0.0.1, evil.example', '127.0.0.1:99999', '[::1'])(
    'RFC 9112 §3.2: a Host header of %j is 400',
    async (value) => {
      expect(await refused(lines('GET /api/courses HTTP/1.1', `Host: ${value}`))).toBe('invalid_request');
    },
  );

  test('RFC 9112 §6.3: two Content-Length headers are 400', async () => {
    for (const second of ['3', '4'])
      await refused(
        `${lines('POST /api/courses HTTP/1.1', `Host: ${host}`, 'Content-Length: 3', `Content-Length: ${second}`)}abc`,
      );
  });

  test('RFC 9112 §6.1: Content-Length beside Transfer-Encoding is 400, in either order', async () => {
    const head = ['POST /api/courses HTTP/1.1', `Host: ${host}`];
    const framing = ['Content-Length: 5', 'Transfer-Encoding: chunked'];
    await refused(`${lines(...head, ...framing)}0\r\n\r\n`);
    await refused(`${lines(...head, ...framing.toReversed())}0\r\n\r\n`);
  });

  test.each(['gzip', 'chunked, gzip', 'xchunked', 'chunked\r\nTransfer-Encoding: identity'])(
    'RFC 9112 §6.1: the transfer coding %j is 400',
    async (coding) => {
      await refused(`${lines('POST /api/courses HTTP/1.1', `Host: ${host}`, `Transfer-Encoding: ${coding}`)}0\r\n\r\n`);
    },
  );

  test('RFC 9112 §5.1: white space before the colon is 400', async () => {
    await refused(lines('GET /api/courses HTTP/1.1', `Host: ${host}`, 'X-School-Id : school_quay'));
  });

  test('RFC 9110 §5.5: a bare CR or NUL inside a header value is 400', async () => {
    for (const value of ['a\rX-School-Id: school_quay', 'a\0b'])
      await refused(lines('GET /api/courses HTTP/1.1', `Host: ${host}`, `X-Note: ${value}`));
  });

  test('RFC 9112 §5.2: a folded header line is 400 or read as one value, never as a header of its own', async () => {
    await edge.raw(lines('GET /api/courses HTTP/1.1', `Host: ${host}`, 'X-Note: a', ' X-School-Id: school_quay'));
    for (const { headers } of edge.seen) expect(headers['x-school-id']).toBe('school_home');
  });

  test('RFC 6750 §3.1: two Authorization headers are 400: nobody chooses between two callers', async () => {
    const two = ['Authorization: Bearer a', 'authorization: Bearer b'];
    expect(await refused(lines('GET /api/courses HTTP/1.1', `Host: ${host}`, ...two))).toBe('invalid_request');
  });

  test('RFC 6585 §5: a head that is too large is refused without a service', async () => {
    const { status } = await edge.raw(
      lines('GET /api/courses HTTP/1.1', `Host: ${host}`, `X-Note: ${'a'.repeat(40_000)}`),
    );
    expect(status).toBe(431);
    expect(edge.seen).toEqual([]);
  });

  test('RFC 9110 §4.1: a URL of 8000 characters is read, RFC 9110 §15.5.15: one above our limit is 414', async () => {
    expect((await edge.ask('GET', `/api/courses?q=${'a'.repeat(7_970)}`)).status).toBe(200);
    edge.seen.splice(0);
    const { status, text } = await edge.ask('GET', `/api/courses?q=${'a'.repeat(8_300)}`);
    expect([status, JSON.parse(text).error]).toEqual([414, 'invalid_request']);
    expect(edge.seen).toEqual([]);
  });

  test.each(['TRACE', 'PROPFIND', 'LINK', 'PURGE'])('RFC 9110 §9.3.8: %s is 405 with Allow', async (method) => {
    const { status, headers, text } = await edge.ask(method, '/api/courses');
    expect([status, JSON.parse(text).error]).toEqual([405, 'method_not_allowed']);
    expect(headers['allow']).toBe('GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
    expect(edge.seen).toEqual([]);
  });

  test('RFC 9110 §9.3.6: CONNECT opens no tunnel', async () => {
    const { status } = await edge.raw(lines(`CONNECT evil.example:443 HTTP/1.1`, `Host: ${host}`));
    expect(status).not.toBe(200);
    expect(edge.seen).toEqual([]);
  });

  test('RFC 6455 §4.2.2: a WebSocket is refused', async () => {
    const { status, text } = await edge.raw(
      `GET /api/courses HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n\r\n`,
    );
    expect([status, JSON.parse(text).error]).toEqual([400, 'invalid_request']);
    expect(edge.seen).toEqual([]);
  });

  test('RFC 9110 §7.8: an offer of another HTTP version is ignored and not passed on', async () => {
    const { status } = await edge.raw(
      `GET /api/courses HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n\r\n`,
    );
    expect(status).toBe(200);
    expect(edge.seen[0]!.headers).not.toHaveProperty('upgrade');
    expect(edge.seen[0]!.headers).not.toHaveProperty('http2-settings');
  });

  test('a school, an address or a host that a client claims never reaches a service, in whatever spelling', async () => {
    const claims = [
      'X-School-Id',
      'x-school-id',
      'X-SCHOOL-ID',
      'X_School_Id',
      'X-School-Role',
      'X-School',
      'X-Forwarded-For',
      'X-Forwarded-Host',
      'X-FORWARDED-PROTO',
      'X_Forwarded_Host',
      'Forwarded',
      'X-Real-IP',
      'X-Client-Address',
      'X_Client_Address',
      'X-Original-URL',
      'X-Rewrite-Url',
    ];
    await edge.raw(lines('GET /api/courses HTTP/1.1', `Host: ${host}`, ...claims.map((name) => `${name}: evil`)));
    expect(edge.seen).toHaveLength(1);
    expect(JSON.stringify(edge.seen)).not.toContain('evil');
    expect(edge.seen[0]!.headers['x-school-id']).toBe('school_home');
    expect(edge.seen[0]!.headers['x-client-address']).toBe('127.0.0.1');
  });

  test('RFC 9110 §7.6.1: what Connection names is not passed on, but it cannot remove framing or our own headers', async () => {
    const body = 'abc';
    await edge.raw(
      `POST /api/courses HTTP/1.1\r\nHost: ${host}\r\nX-Hop: 1\r\nTE: trailers\r\nContent-Length: 3\r\n` +
        `Connection: close, X-Hop, Content-Length, Host, X-School-Id\r\n\r\n${body}`,
    );
    const { headers } = edge.seen[0]!;
    expect(headers).toMatchObject({ host, 'content-length': '3', 'x-school-id': 'school_home' });
    for (const gone of ['x-hop', 'te', 'connection']) expect(headers).not.toHaveProperty(gone);
  });

  test('a service reads the same headers whichever way it looks', async () => {
    await edge.raw(
      lines(
        'GET /api/courses?a=1 HTTP/1.1',
        `Host: ${host}`,
        'X-School-Id: evil',
        'Accept: a',
        'Accept: b',
        'Cookie: c=1',
      ),
    );
    const { headers, distinct, raw } = edge.seen[0]!;
    const fromRaw: Record<string, string[]> = {};
    for (let index = 0; index < raw.length; index += 2)
      (fromRaw[raw[index]!.toLowerCase()] ??= []).push(raw[index + 1]!);
    expect({ ...distinct }).toEqual(fromRaw);
    expect(Object.keys(headers).sort()).toEqual(Object.keys(fromRaw).sort());
    expect(headers.accept).toBe('a, b');
    expect(fromRaw['x-school-id']).toEqual(['school_home']);
  });

  test('RFC 9112 §3.2.2: an absolute-form target names the school, whatever the Host header says', async () => {
    const quay = `quay.localhost:${edge.port}`;
    await edge.raw(lines(`GET http://${quay}/api/courses?a=1 HTTP/1.1`, `Host: ${host}`));
    expect(edge.seen[0]).toMatchObject({
      url: '/api/courses?a=1',
      headers: { 'x-school-id': 'school_quay', host: quay },
    });
  });

  test.each(['http://user@127.0.0.1/', 'http:///api/courses', 'api/courses', '*', 'ftp://127.0.0.1/'])(
    'RFC 9112 §3.2: the target %s is 400',
    async (target) => {
      await refused(lines(`OPTIONS ${target} HTTP/1.1`, `Host: ${host}`));
    },
  );

  test.each([
    '/api/courses/../oauth/token',
    '/api/courses/%2e%2e/oauth/token',
    '/api/courses/.%2E/x',
    '/api/courses/./x',
    '/api/courses/..',
    '/api/courses/%2e%2e%2foauth',
    '/api/courses%5c..%5cx',
    '/api/courses\\..\\x',
    '/..',
  ])('RFC 3986 §5.2.4: the path %s is 400, so that nobody downstream resolves it otherwise', async (path) => {
    expect(await refused(lines(`GET ${path} HTTP/1.1`, `Host: ${host}`))).toBe('invalid_request');
  });

  test('a second request hidden in a body stays a body', async () => {
    const hidden = `GET /api/school HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    await edge.raw(lines('POST /api/courses HTTP/1.1', `Host: ${host}`, `Content-Length: ${hidden.length}`) + hidden);
    expect(edge.seen.map(({ service }) => service)).toEqual(['catalog']);
  });

  test('after a malformed request the connection ends: what follows on it is not read', async () => {
    const bad = `GET /api/courses HTTP/1.1\r\nHost: ${host}\r\nHost: ${host}\r\n\r\n`;
    const { headers } = await edge.raw(bad + lines('GET /api/courses HTTP/1.1', `Host: ${host}`));
    expect(headers['connection']).toBe('close');
    expect(edge.seen).toEqual([]);
  });
});
