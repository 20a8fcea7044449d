import { afterEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Attempt } from './attempt.ts';
import { CollectedResponse } from './collected-response.ts';
import type { OutgoingRequest } from './outgoing-request.ts';
import { UpstreamPool } from './upstream-pool.ts';

const patience = {
  connectTimeout: 1_000,
  placeTimeout: 1_000,
  headersTimeout: 10_000,
  bodyTimeout: 1_000,
  keepAlive: 10_000,
};
const fine = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const get: OutgoingRequest = { method: 'GET', path: '/', headers: ['host', 'a'], body: null, school: undefined };

describe('connections to an instance of a service', () => {
  const open: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });

  /** A server of bytes: `answer` is called for everything that arrives. */
  async function serve(answer: (socket: Socket, text: string, connection: number) => void) {
    const got: string[] = [];
    const sockets: Socket[] = [];
    const server: Server = createServer((socket) => {
      const connection = sockets.push(socket) - 1;
      socket.on('error', () => undefined).setEncoding('latin1');
      socket.on('data', (text: string) => {
        got[connection] = (got[connection] ?? '') + text;
        answer(socket, text, connection);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    open.push(() => (server.close(), sockets.forEach((socket) => socket.destroy())));
    return { port: (server.address() as AddressInfo).port, got, sockets };
  }

  const poolOf = (port: number, most = 8, more = {}, host = '127.0.0.1'): UpstreamPool => {
    const pool = new UpstreamPool(`http://${host}:${port}`, { ...patience, ...more }, undefined, most);
    open.push(() => pool.close());
    return pool;
  };

  /** Sends and collects: the status and body, or why there is none and whether anything was sent. */
  function ask(
    pool: UpstreamPool,
    request = get,
    begun: (attempt: Attempt) => void = () => undefined,
  ): Promise<string> {
    return new Promise((resolve) => {
      const sink = new CollectedResponse(1_000);
      const attempt = new Attempt(request, sink, {
        done: () => resolve(`${sink.status} ${sink.text}`),
        failed: ({ error, isSent }) => resolve(`${isSent ? 'sent' : 'not sent'}: ${error.message}`),
      });
      pool.send(attempt);
      begun(attempt);
    });
  }

  test('one connection serves one request after the other', async () => {
    const { port, got } = await serve((socket) => socket.write(fine));
    const pool = poolOf(port);
    for (let number = 0; number < 3; number += 1) {
      expect(await ask(pool)).toBe('200 ok');
      // undici gives a service a turn of the event loop to close a connection before it uses it again.
      await sleep(5);
    }
    expect(got).toHaveLength(1);
  });

  test('a school that fills the connections leaves some for others, and its own wait in their line', async () => {
    const busy: Socket[] = [];
    const { port } = await serve(
      (socket, text) => void (text.includes('/slow') ? busy.push(socket) : socket.write(fine)),
    );
    const pool = poolOf(port, 8, { placeTimeout: 10_000 });
    const slow = { ...get, path: '/slow', school: 'school_hostile' };
    const hostile = Array.from({ length: 20 }, () => ask(pool, slow));
    for (let other = 0; other < 3; other += 1)
      expect(await ask(pool, { ...get, school: `school_${other}` })).toBe('200 ok');
    expect(busy.length).toBeLessThan(8);
    for (let answered = 0; answered < 20; answered += 1) {
      while (busy.length === 0) await sleep(5);
      busy.shift()!.write(fine);
    }
    expect(await Promise.all(hostile)).toEqual(hostile.map(() => '200 ok'));
  });

  test('whoever waits too long for a connection, or stands in too long a line, is told that there was no place', async () => {
    const { port } = await serve(() => undefined);
    const pool = poolOf(port, 2, { placeTimeout: 100 });
    const slow = { ...get, school: 'school_hostile' };
    const held: Attempt[] = [];
    const holding = [0, 1].map(() => ask(pool, slow, (attempt) => held.push(attempt)));
    const waiting = Array.from({ length: 600 }, () => ask(pool, slow));
    expect(new Set(await Promise.all(waiting))).toEqual(
      new Set([
        'not sent: Too many requests of this school wait',
        'not sent: No connection to the service was free in time',
      ]),
    );
    for (const each of held) each.cancel(new Error('over'));
    await Promise.all(holding);
  });

  test('a name of several addresses leads to the one that answers', async () => {
    const { port } = await serve((socket) => socket.write(fine));
    expect(await ask(poolOf(port, 8, {}, 'localhost'))).toBe('200 ok');
  });

  test('beyond the most connections requests wait their turn, and those that are given up are not sent', async () => {
    const { port, got } = await serve((socket) => setTimeout(() => socket.write(fine), 20));
    const pool = poolOf(port, 2);
    const asked = Array.from({ length: 5 }, () => ask(pool));
    asked.push(ask(pool, get, (attempt) => attempt.cancel(new Error('given up'))));
    expect(await Promise.all(asked)).toEqual([...Array.from({ length: 5 }, () => '200 ok'), 'not sent: given up']);
    expect(got).toHaveLength(2);
    expect(got.join('').match(/GET/g)).toHaveLength(5);
  });

  test('a request that is ended ends its connection, and the next one waiting gets another', async () => {
    const { port, got } = await serve((socket, _text, connection) => connection > 0 && socket.write(fine));
    const pool = poolOf(port, 1);
    let first: Attempt | undefined;
    const asked = [ask(pool, get, (attempt) => (first = attempt)), ask(pool)];
    while (got.length === 0) await sleep(5);
    first!.cancel(new Error('gone'));
    expect(await Promise.all(asked)).toEqual(['sent: gone', '200 ok']);
  });

  test('a pool that is closed sends nothing', async () => {
    const { port, got } = await serve((socket) => socket.write(fine));
    const pool = poolOf(port);
    await pool.close();
    expect(await ask(pool)).toBe('not sent: The connections to the service are closed');
    expect(got).toEqual([]);
  });
});
