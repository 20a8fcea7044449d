import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '@lyceum/testkit';
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Breaker } from './breaker.ts';
import { type Backend, backend, edge } from '../testing/backend.ts';

type Edge = Awaited<ReturnType<typeof edge>>;

/** A port that nobody listens on. */
const nobody = async (): Promise<string> => {
  const gone = await backend(() => undefined);
  await gone.die();
  return gone.url;
};

const textOf = async (stream: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

/** More pieces of a mebibyte than the system keeps of two connections. */
const pieces = 256;

/** Answers with all pieces, as fast as they are taken. */
function pour(response: ServerResponse, wrote: () => number): void {
  const more = (): void => {
    let written = 0;
    for (let room = true; room && written < pieces;) {
      written = wrote();
      room = response.write(Buffer.alloc(1024 * 1024));
    }
    if (written < pieces) response.once('drain', more);
    else response.end();
  };
  more();
}

describe('a service over HTTP', () => {
  const open: { close?: () => Promise<void>; die?: () => Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await (each.close ?? each.die)!();
  });
  const serve = async (...args: Parameters<typeof backend>): Promise<Backend> => {
    const made = await backend(...args);
    open.push(made);
    return made;
  };
  const front = async (...args: Parameters<typeof edge>): Promise<Edge> => {
    const made = await edge(...args);
    open.push(made);
    return made;
  };

  test('gets method, path, body and headers, with the service token and without what concerns the connection', async () => {
    let seen: IncomingMessage | undefined;
    const service = await serve(async (request, response) => {
      seen = request;
      response.writeHead(201, { 'set-cookie': ['a=1', 'b=2'], 'x-kind': 'echo', connection: 'x-kind, keep-alive' });
      response.end(await textOf(request));
    });
    const { url } = await front([service.url]);
    const answer = await fetch(`${url}/api/courses?limit=2`, {
      method: 'POST',
      body: 'täxt',
      headers: { 'x-request-id': 'req_1', traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' },
    });
    expect([answer.status, await answer.text()]).toEqual([201, 'täxt']);
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(answer.headers.get('x-kind')).toBeNull();
    expect([seen?.method, seen?.url]).toEqual(['POST', '/api/courses?limit=2']);
    expect(seen?.headers).toMatchObject({ 'x-service-token': 'token-of-this-test', 'x-request-id': 'req_1' });
    expect(seen?.headers['traceparent']).toContain('4bf92f');
  });

  test.each(['HEAD', 'GET'])('answers without a body pass: %s, 204, 304', async (method) => {
    const service = await serve((request, response) => {
      response.writeHead(Number(request.url!.slice(1)), { etag: '"1"' }).end();
    });
    const { url } = await front([service.url]);
    for (const status of [200, 204, 304]) {
      const answer = await fetch(`${url}/${status}`, { method });
      expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([status, '"1"', '']);
    }
  });

  test('streams both ways: the first bytes pass before the last are there, and nothing is gathered in between', async () => {
    const service = await serve((request, response) => void request.pipe(response));
    const { url } = await front([service.url]);
    const sent = httpRequest(url, { method: 'POST' });
    sent.write('first');
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const [chunk] = (await once(answer, 'data')) as [Buffer];
    expect(chunk.toString()).toBe('first');
    sent.end('last');
    expect(await textOf(answer)).toBe('last');
  });

  test('a client that does not read holds the service back', async () => {
    let written = 0;
    const service = await serve((_request, response) => pour(response, () => (written += 1)));
    const { port } = await front([service.url]);
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'readable');
    await sleep(300);
    expect(written).toBeLessThan(pieces / 2);
    socket.destroy();
  });

  test('a client that reads nothing for its time is let go, with the connection that it held', async () => {
    let written = 0;
    let ended: () => void = () => undefined;
    const end = new Promise<void>((resolve) => (ended = resolve));
    const service = await serve((request, response) => {
      if (request.url !== '/large') return void response.end('fine');
      pour(response, () => (written += 1));
      response.on('close', ended);
    });
    const { port, url, reported } = await front([service.url], { readTimeout: 200 });
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
    await end;
    socket.destroy();
    expect(written).toBeLessThan(pieces);
    expect(reported).toEqual([]);
    expect(await (await fetch(url)).text()).toBe('fine');
  });

  test('a client that takes a piece now and then gains no time by it', async () => {
    let ended: () => void = () => undefined;
    const end = new Promise<void>((resolve) => (ended = resolve));
    const service = await serve((_request, response) => {
      pour(response, () => 1);
      response.on('close', ended);
    });
    const { port, reported } = await front([service.url], { readTimeout: 400 });
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const piece = setInterval(() => socket.read(1_024), 100);
    await once(socket, 'readable');
    await end;
    clearInterval(piece);
    socket.destroy();
    expect(reported).toEqual([]);
  });

  test('requests that wait for a connection do not blame the service: it is asked again as soon as there is room', async () => {
    const busy: ServerResponse[] = [];
    const service = await serve((request, response) =>
      request.url === '/slow' ? void busy.push(response) : void response.end('fine'),
    );
    const { url, reported } = await front([service.url], { placeTimeout: 100 });
    const slow = Array.from({ length: 300 }, () => fetch(`${url}/slow`).catch(() => undefined));
    const refused = await Promise.race(slow);
    expect([refused?.status, await refused?.text()]).toEqual([503, expect.stringContaining('try again')]);
    while (busy.length < 256) await sleep(10);
    await sleep(300);
    for (const response of busy) response.end('late');
    expect((await Promise.all(slow)).map((answer) => answer?.status).filter((status) => status === 200)).toHaveLength(
      256,
    );
    expect(await (await fetch(url)).text()).toBe('fine');
    expect(reported).toEqual([]);
  });

  test('a client that goes away ends the request to the service, and harms nobody', async () => {
    const [began, ended]: [string[], string[]] = [[], []];
    const reached = (list: readonly string[], path: string) => until(() => list.includes(path), path);
    const service = await serve((request, response) => {
      if (request.url === '/') return void response.end('fine');
      began.push(request.url!);
      response.on('close', () => void ended.push(request.url!));
      if (request.url === '/half') response.write('half');
    });
    const { url, port, reported } = await front([service.url]);
    for (const path of ['/silent', '/half']) {
      const socket = connect(port, '127.0.0.1');
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      await reached(began, path);
      if (path === '/half') await once(socket, 'data');
      socket.resetAndDestroy();
    }
    const upload = connect(port, '127.0.0.1');
    upload.write('POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf');
    await reached(began, '/upload');
    upload.resetAndDestroy();
    for (const path of began) await reached(ended, path);
    expect(ended.toSorted()).toEqual(['/half', '/silent', '/upload']);
    expect(reported).toEqual([]);
    expect(await (await fetch(url)).text()).toBe('fine');
  });

  test('a service that dies in the middle of an answer ends that answer only', async () => {
    let service = await backend((request, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('half');
      setTimeout(() => request.socket.resetAndDestroy(), 30);
    });
    const { url, port } = await front([service.url]);
    const answer = await fetch(url);
    await expect(answer.text()).rejects.toThrow();
    await service.die();
    service = await serve((_request, response) => void response.end('back'), service.port);
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('back');
  });

  test('a service that is not there: 503 with Retry-After, and service again as soon as it is back', async () => {
    const url = await nobody();
    const { url: at, reported } = await front([url]);
    for (const method of ['GET', 'POST']) {
      const refused = await fetch(at, { method, ...(method === 'POST' ? { body: 'x' } : {}) });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await refused.text()).toContain('cannot be reached');
    }
    expect(reported).toHaveLength(2);
    await serve((_request, response) => void response.end('back'), Number(new URL(url).port));
    expect(await (await fetch(at)).text()).toBe('back');
  });

  test('G1: a service that takes no connection for a moment is asked again: nothing was sent, so a POST is, too', async () => {
    const away = await nobody();
    const { url, reported } = await front([away]);
    const asked = ['GET', 'POST'].map((method) => fetch(url, { method, ...(method === 'POST' ? { body: 'x' } : {}) }));
    await sleep(600);
    let requests = 0;
    await serve((_request, response) => void response.end(`back ${(requests += 1)}`), Number(new URL(away).port));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect([statuses, requests, reported]).toEqual([[200, 200], 2, []]);
  });

  test('a service that stays away is asked by one try now and then, each time after twice as long', async () => {
    const { url } = await front([await nobody()]);
    await Promise.all(Array.from({ length: 5 }, () => fetch(url)));
    const waits: (string | null)[] = [];
    for (const rest of [600, 1_100]) {
      await sleep(rest);
      waits.push((await fetch(url)).headers.get('retry-after'));
    }
    expect(waits).toEqual(['1', '2']);
  });

  test('G1: connections that die under requests cost no GET, and no POST is sent twice', async () => {
    const got = { GET: 0, POST: 0 };
    const service = await serve((request, response) => {
      const count = (got[request.method as 'GET'] += 1);
      if (count === 1) return void request.socket.resetAndDestroy();
      response.end('done');
    });
    const { url } = await front([service.url]);
    expect((await fetch(url)).status).toBe(200);
    expect(got.GET).toBe(2);
    const unknown = await fetch(url, { method: 'POST', body: 'once' });
    expect([unknown.status, await unknown.text()]).toEqual([503, expect.stringContaining('Idempotency-Key')]);
    expect(got.POST).toBe(1);
  });

  test('G1: of two instances one is killed under load: every GET is answered, every POST reaches one at most', async () => {
    const posts = new Map<string, number>();
    const handler = (request: IncomingMessage, response: { end(text: string): unknown }): void => {
      const id = request.headers['x-request-id'] as string;
      if (request.method === 'POST') posts.set(id, (posts.get(id) ?? 0) + 1);
      setTimeout(() => response.end('done'), 5);
    };
    const [first, second] = [await serve(handler), await backend(handler)];
    const { url } = await front([first.url, second.url]);
    const failed = { GET: 0, POST: 0 };
    const load = Promise.all(
      Array.from({ length: 16 }, async (_, caller) => {
        for (let number = 0; number < 16; number += 1) {
          const method = number % 2 === 0 ? 'GET' : 'POST';
          const headers = { 'x-request-id': `${caller}-${number}` };
          const { status } = await fetch(url, { method, headers, ...(method === 'POST' ? { body: 'x' } : {}) });
          if (status !== 200) failed[method] += 1;
        }
      }),
    );
    await sleep(60);
    await second.die();
    await load;
    expect(failed.GET).toBe(0);
    expect(failed.POST).toBeLessThanOrEqual(16);
    expect([...posts.values()].every((count) => count === 1)).toBe(true);
  });

  test('a service that never answers is given up after its time, and asked once only', async () => {
    let asked = 0;
    const service = await serve(() => void (asked += 1));
    const { url } = await front([service.url], { headersTimeout: 300 });
    const began = Date.now();
    expect((await fetch(url, { method: 'POST', body: 'x' })).status).toBe(503);
    expect(Date.now() - began).toBeLessThan(3_000);
    expect(asked).toBe(1);
  });

  test('a client that is slow to send wears out nobody: it may take its time, and the service is not blamed', async () => {
    const service = await serve(async (request, response) => void response.end(await textOf(request)));
    const { url } = await front([service.url], { headersTimeout: 300 });
    const sending = httpRequest(url, { method: 'POST', headers: { 'content-length': '4' } });
    sending.write('ab');
    await sleep(1_500);
    sending.end('cd');
    const [answer] = (await once(sending, 'response')) as [IncomingMessage];
    expect(await textOf(answer)).toBe('abcd');
  });

  test('describes itself over HTTP, and not while it is away', async () => {
    const service = await serve((request, response) => {
      const trusted = request.headers['x-service-token'] === 'token-of-this-test';
      response.writeHead(trusted && request.url === '/internal/openapi/catalog' ? 200 : 404).end('{"paths":{}}');
    });
    const { upstream } = await front([await nobody(), service.url]);
    expect(await upstream.describe()).toEqual({ paths: {} });
    await service.die();
    await expect(upstream.describe()).rejects.toThrow('catalog');
  });
});

describe('the breaker of an instance', () => {
  test('rests after five failures in a row, twice as long each time, lets one try, and forgets all at an answer', () => {
    let now = 0;
    const breaker = new Breaker(() => now);
    const fail = (times: number) => Array.from({ length: times }, () => breaker.failed());
    fail(4);
    expect(breaker.admits()).toBe(true);
    fail(1);
    expect([breaker.admits(), breaker.wait]).toEqual([false, 500]);
    now = 500;
    expect([breaker.admits(), breaker.admits()]).toEqual([true, false]);
    fail(1);
    expect(breaker.wait).toBe(1_000);
    now = 1_500;
    expect(breaker.admits()).toBe(true);
    breaker.answered();
    expect([breaker.admits(), breaker.admits(), breaker.wait]).toEqual([true, true, 0]);
  });
});
