import { afterEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type Server, type ServerResponse, createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { codingFor } from './content-coding.ts';
import { compress } from './compress-response.ts';

describe('RFC 9110 §12.5.3: the coding of an answer', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['BR;Q=1', 'br'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, *', 'gzip'],
    ['identity', undefined],
    ['gzip;q=0.5, identity', undefined],
    ['gzip;q=nonsense', undefined],
    ['deflate, zstd', undefined],
  ])('for "%s" is %s', (accepted, coding) => expect(codingFor(accepted)).toBe(coding));
});

describe('a compressed answer', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
  });

  /** Asks a server that answers so, in a coding; the body is decoded. */
  async function ask(answer: (response: ServerResponse) => void, coding: 'br' | 'gzip' = 'br', method = 'GET') {
    const server = createServer((_request, response) => {
      response.on('error', () => undefined);
      compress(response, coding);
      answer(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push(server);
    const { port } = server.address() as AddressInfo;
    const sent = request({ port, host: '127.0.0.1', method }).end();
    const [reply] = await once(sent, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of reply) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const decode = { br: brotliDecompressSync, gzip: gunzipSync }[String(reply.headers['content-encoding'])];
    return {
      headers: reply.headers,
      status: reply.statusCode,
      size: body.length,
      text: String(decode?.(body) ?? body),
    };
  }

  const long = JSON.stringify({ data: Array.from({ length: 500 }, (_, index) => ({ id: `course_${index}` })) });
  const json = { 'Content-Type': 'application/json; charset=utf-8' };

  test.each(['br', 'gzip'] as const)('in %s is the same text in fewer bytes, and says so', async (coding) => {
    const { headers, text, size } = await ask((response) => response.writeHead(200, json).end(long), coding);
    expect(headers).toMatchObject({ 'content-encoding': coding, vary: 'Accept-Encoding' });
    expect(headers).not.toHaveProperty('content-length');
    expect(text).toBe(long);
    expect(size).toBeLessThan(long.length / 3);
  });

  test('is made of an answer that was begun by nobody, of one in pieces, and keeps the headers of both kinds', async () => {
    const quiet = await ask((response) => {
      response.setHeader('Content-Type', 'text/markdown');
      response.setHeader('Vary', 'Accept');
      response.end(long);
    });
    expect(quiet.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept, Accept-Encoding' });
    expect(quiet.text).toBe(long);
    const said = await ask((response) =>
      response.writeHead(200, { ...json, Vary: 'Authorization, Accept-Encoding' }).end(long),
    );
    expect(said.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Authorization, Accept-Encoding' });
    const pieces = await ask((response) => {
      response.setHeader('X-Kind', 'both');
      response.writeHead(201, { ...json, 'Set-Cookie': ['a=1', 'b=2'] });
      for (const piece of long.match(/.{1,100}/g)!) response.write(piece);
      response.end();
    });
    expect(pieces).toMatchObject({ status: 201, text: long });
    expect(pieces.headers).toMatchObject({ 'content-encoding': 'br', 'x-kind': 'both', 'set-cookie': ['a=1', 'b=2'] });
  });

  test.each<[string, number, Record<string, string>, string]>([
    ['a short one', 200, { ...json, 'Content-Length': '14' }, '{"short":true}'],
    ['one that is no text', 200, { 'Content-Type': 'image/png' }, long],
    ['one without a type', 200, {}, long],
    ['RFC 9110 §8.4: one that is coded already', 200, { ...json, 'Content-Encoding': 'zstd' }, long],
    ['RFC 9111 §5.2.2.6: one with no-transform', 200, { ...json, 'Cache-Control': 'private, no-transform' }, long],
    ['RFC 9110 §8.8.1: one with a strong entity tag', 200, { ...json, ETag: '"3"' }, long],
    ['a stream of events', 200, { 'Content-Type': 'text/event-stream' }, long],
    ['a part', 206, { ...json, 'Content-Range': 'bytes 0-10/20' }, long],
  ])('is not made of %s', async (_, status, headers, text) => {
    const answer = await ask((response) => response.writeHead(status, headers).end(text));
    expect(answer).toMatchObject({ status, text });
    expect(answer.headers['content-encoding']).toBe(headers['Content-Encoding']);
  });

  test.each([
    [204, 'GET'],
    [304, 'GET'],
    [200, 'HEAD'],
  ])('is not made of an answer without a body: %s to %s', async (status, method) => {
    const answer = await ask((response) => response.writeHead(status, json).end(), 'gzip', method);
    expect(answer).toMatchObject({ status, size: 0 });
    expect(answer.headers).not.toHaveProperty('content-encoding');
  });

  test('with a weak entity tag keeps it', async () => {
    const { headers } = await ask((response) => response.writeHead(200, { ...json, ETag: 'W/"3"' }).end(long));
    expect(headers).toMatchObject({ 'content-encoding': 'br', etag: 'W/"3"' });
  });

  test('is written no faster than it is taken: a long one arrives whole', async () => {
    const piece = Buffer.alloc(256 * 1024, 'The quick brown fox. ');
    let left = 40;
    const { text } = await ask((response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain' });
      const more = (): void => {
        while (left > 0) {
          left -= 1;
          if (!response.write(piece)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    }, 'gzip');
    expect(text.length).toBe(40 * piece.length);
  });

  test('is not written on while its client reads nothing', async () => {
    const piece = randomBytes(256 * 1024);
    const pieces = { left: 256 };
    const server = createServer((_request, response) => {
      compress(response, 'gzip');
      response.writeHead(200, { 'Content-Type': 'text/plain' });
      const more = (): void => {
        while (pieces.left > 0) {
          pieces.left -= 1;
          if (!response.write(piece)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    });
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    for (let before = 256; before === 256 || before !== pieces.left; await sleep(200)) before = pieces.left;
    // The system itself keeps up to half of it.
    expect(pieces.left).toBeGreaterThan(64);
    socket.destroy();
  });
});
