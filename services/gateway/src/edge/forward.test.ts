import { afterEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { largestFile } from '@lyceum/contracts';
import { FakeClock } from '@lyceum/testkit';
import { traceIdOf } from '@lyceum/web';
import { type TestEdge, openTestEdge } from '../testing/test-edge.ts';
import { largestBody } from './request/body-arrival.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${trace}-00f067aa0ba902b7-01`;

describe('what the edge says to a request before a service hears of it', () => {
  let edge: TestEdge;
  afterEach(() => edge.close());
  const head = (...lines: readonly string[]) =>
    `${[...lines, `Host: 127.0.0.1:${edge.port}`, 'Connection: close'].join('\r\n')}\r\n\r\n`;

  test('RFC 6585 §4: beyond its limit an address gets 429 with Retry-After, and the service hears nothing', async () => {
    edge = await openTestEdge({}, { factor: 2 / 120, clock: new FakeClock() });
    const answers = [];
    for (let asked = 0; asked < 3; asked += 1) answers.push(await edge.ask('GET', '/api/courses'));
    expect(answers.map(({ status, headers }) => [status, headers['ratelimit']])).toEqual([
      [200, '"anonymous";r=1;t=30'],
      [200, '"anonymous";r=0;t=30'],
      [429, '"anonymous";r=0;t=30'],
    ]);
    expect(answers[2]!.headers).toMatchObject({ 'retry-after': '30', 'ratelimit-policy': '"anonymous";q=2;w=60' });
    expect(answers[2]!.headers['access-control-expose-headers']).toContain('RateLimit');
    expect(JSON.parse(answers[2]!.text)).toMatchObject({ error: 'rate_limited' });
    expect(edge.seen).toHaveLength(2);
    expect(edge.logged).toMatchObject([
      { status: 429, route: '-', school: 'school_home', policy: 'anonymous', limit: 'refused' },
    ]);
  });

  test('documents, what the authorization server counts by itself, and preflights are not counted', async () => {
    edge = await openTestEdge({}, { factor: 1 / 120, clock: new FakeClock() });
    const preflight = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'GET' };
    for (let asked = 0; asked < 2; asked += 1) {
      expect((await edge.ask('GET', '/openapi.json')).status).toBe(200);
      expect((await edge.ask('POST', '/oauth/token')).headers).not.toHaveProperty('ratelimit');
      expect((await edge.ask('OPTIONS', '/api/courses', preflight)).status).toBe(200);
    }
    expect((await edge.ask('GET', '/api/courses')).status).toBe(200);
    expect((await edge.ask('GET', '/api/courses')).status).toBe(429);
  });

  test('RFC 9110 §15.5.14: a body announced as larger than the limit is 413 and not read', async () => {
    edge = await openTestEdge();
    const { status, headers, text } = await edge.raw(
      head('POST /api/courses HTTP/1.1', `Content-Length: ${largestBody + 1}`),
    );
    expect([status, JSON.parse(text).error, headers['connection']]).toEqual([413, 'payload_too_large', 'close']);
    expect(edge.seen).toEqual([]);
  });

  test('RFC 9110 §15.5.14: a body that turns out to be larger than the limit is 413; one of the limit is read', async () => {
    const read: number[] = [];
    edge = await openTestEdge({
      catalog: (request, response) => {
        let size = 0;
        request.on('data', (chunk: Buffer) => (size += chunk.length));
        request.on('end', () => response.end('read'));
        request.on('close', () => read.push(size));
      },
    });
    const chunked = head('POST /api/courses HTTP/1.1', 'Transfer-Encoding: chunked');
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const whole = await edge.raw(`${chunked}${chunk.repeat(16)}0\r\n\r\n`);
    expect([whole.status, whole.text]).toEqual([200, expect.stringContaining('read')]);
    const over = await edge.raw(`${chunked}${chunk.repeat(17)}0\r\n\r\n`);
    expect([over.status, JSON.parse(over.text).error]).toEqual([413, 'payload_too_large']);
    expect(read[0]).toBe(largestBody);
    expect(read[1] ?? 0).toBeLessThanOrEqual(largestBody);
  });

  test('the bytes of a file may be more than any other body, and have a limit and a count of their own', async () => {
    let size = 0;
    const media = (request: IncomingMessage, response: ServerResponse) => {
      request.on('data', (chunk: Buffer) => (size += chunk.length));
      request.on('end', () => response.end('read'));
    };
    edge = await openTestEdge({ media }, { factor: 1 / 120, clock: new FakeClock() });
    const sent = head('PUT /media/uploads/signed HTTP/1.1', 'Transfer-Encoding: chunked');
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const whole = await edge.raw(`${sent}${chunk.repeat(20)}0\r\n\r\n`);
    expect([whole.status, size, whole.headers['ratelimit-policy']]).toEqual([200, 20 * 65_536, '"files";q=10;w=60']);
    const over = await edge.raw(head('PUT /media/uploads/signed HTTP/1.1', `Content-Length: ${largestFile + 1}`));
    expect([over.status, JSON.parse(over.text).error]).toEqual([413, 'payload_too_large']);
    const elsewhere = await edge.raw(head('PUT /media/files/x HTTP/1.1', `Content-Length: ${largestBody + 1}`));
    expect(elsewhere.status).toBe(413);
  });

  test('W3C Trace Context §4.3: a valid traceparent and its tracestate pass as they are', async () => {
    edge = await openTestEdge();
    await edge.ask('GET', '/api/courses', { traceparent, tracestate: 'vendor=1' });
    expect(edge.seen[0]!.headers).toMatchObject({ traceparent, tracestate: 'vendor=1' });
  });

  test.each([{}, { traceparent: 'nonsense', tracestate: 'vendor=1' }, { tracestate: 'vendor=1' }])(
    'W3C Trace Context §3.3, §4.3: with %j a trace begins, and a tracestate of another goes',
    async (sent) => {
      edge = await openTestEdge();
      await edge.ask('GET', '/api/courses', sent as Record<string, string>);
      const { headers, raw } = edge.seen[0]!;
      expect(traceIdOf(headers['traceparent'] as string)).toMatch(/^[0-9a-f]{32}$/);
      expect(headers).not.toHaveProperty('tracestate');
      expect(raw.join()).not.toContain('vendor');
    },
  );

  test('the trace stands in the line about the answer', async () => {
    edge = await openTestEdge();
    await edge.ask('GET', '/nothing', { traceparent });
    expect(edge.logged).toMatchObject([{ status: 404, trace_id: trace }]);
  });

  test('a client that goes away while its token is judged harms nobody', async () => {
    edge = await openTestEdge();
    const socket = connect(edge.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(head('GET /api/courses HTTP/1.1', 'Authorization: Bearer a.b.c'));
    socket.resetAndDestroy();
    expect((await edge.ask('GET', '/api/courses')).status).toBe(200);
  });
});
