import { afterEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionPool } from './connection-pool.ts';
import type { OutgoingMessage, Sending } from './exchange.ts';
import { originOf } from './origin.ts';

const patience = {
  connectTimeout: 1_000,
  placeTimeout: 1_000,
  headersTimeout: 1_000,
  bodyTimeout: 1_000,
  keepAlive: 10_000,
};
const fine = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const get: OutgoingMessage = {
  method: 'GET',
  head: 'GET / HTTP/1.1\r\nhost: a\r\n\r\n',
  body: null,
  length: undefined,
};

describe('connections to a service', () => {
  const open: (() => void)[] = [];
  afterEach(() => open.splice(0).forEach((close) => close()));

  /** A server of bytes: `answer` is called for everything that arrives. */
  async function serve(answer: (socket: Socket, text: string, connection: number) => void, host = '127.0.0.1') {
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
    server.listen(0, host);
    await once(server, 'listening');
    open.push(() => (server.close(), sockets.forEach((socket) => socket.destroy())));
    return { port: (server.address() as AddressInfo).port, got, sockets };
  }

  const poolOf = (port: number, most = 8, more = {}, host = '127.0.0.1'): ConnectionPool => {
    const pool = new ConnectionPool(originOf(`http://${host}:${port}`), { ...patience, ...more }, most);
    open.push(() => pool.close());
    return pool;
  };

  /** Sends and gathers: the status and body, or why there is none and whether anything was sent. */
  function ask(
    pool: ConnectionPool,
    message = get,
    begun: (sending: Sending) => void = () => undefined,
  ): Promise<string> {
    return new Promise((resolve) => {
      let [text, isSent] = ['', false];
      const sending = pool.send(message, {
        sent: () => void (isSent = true),
        answered: ({ status }, body) => void (text = `${status} ${body ?? ''}`),
        received: (piece) => void (text += piece.toString('latin1')),
        ended: () => resolve(text),
        failed: ({ message: why }) => resolve(`${isSent ? 'sent' : 'not sent'}: ${why}`),
      });
      begun(sending);
    });
  }

  test('one connection serves one request after the other', async () => {
    const { port, got } = await serve((socket) => socket.write(fine));
    const pool = poolOf(port);
    expect([await ask(pool), await ask(pool), await ask(pool)]).toEqual(['200 ok', '200 ok', '200 ok']);
    expect(got).toEqual([get.head.repeat(3)]);
  });

  test('a school that fills the connections leaves some for others, and its own wait in their line', async () => {
    const busy: Socket[] = [];
    const { port, sockets } = await serve(
      (socket, text) => void (text.includes('/slow') ? busy.push(socket) : socket.write(fine)),
    );
    const pool = poolOf(port, 8, { headersTimeout: 10_000, placeTimeout: 10_000 });
    const slow = { ...get, head: get.head.replace('/', '/slow'), school: 'school_hostile' };
    const hostile = Array.from({ length: 20 }, () => ask(pool, slow));
    for (let other = 0; other < 3; other += 1)
      expect(await ask(pool, { ...get, school: `school_${other}` })).toBe('200 ok');
    expect(sockets.length).toBeLessThan(8);
    for (let answered = 0; answered < 20; answered += 1) {
      while (busy.length === 0) await sleep(5);
      busy.shift()!.write(fine);
    }
    expect(await Promise.all(hostile)).toEqual(hostile.map(() => '200 ok'));
  });

  test('whoever waits too long for a connection, or stands in too long a line, is told that there was no place', async () => {
    const { port } = await serve(() => undefined);
    const pool = poolOf(port, 2, { headersTimeout: 10_000, placeTimeout: 100 });
    const slow = { ...get, school: 'school_hostile' };
    const gone: Sending[] = [];
    const held = [0, 1].map(() => ask(pool, slow, (sending) => gone.push(sending)));
    const waiting = Array.from({ length: 600 }, () => ask(pool, slow));
    expect(new Set(await Promise.all(waiting))).toEqual(
      new Set([
        'not sent: Too many requests of this school wait',
        'not sent: No connection to the service was free in time',
      ]),
    );
    for (const each of gone) each.abort(new Error('over'));
    await Promise.all(held);
  });

  test('a name of several addresses leads to the one that answers', async () => {
    const { port } = await serve((socket) => socket.write(fine));
    expect(await ask(poolOf(port, 8, {}, 'localhost'))).toBe('200 ok');
  });

  test.each([
    ['says so', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok'],
    ['speaks HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok'],
    ['sent more than the answer', `${fine}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged`],
    ['keeps it for a moment only', 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 2\r\n\r\nok'],
  ])('a connection is not used again when the service %s', async (_title, answer) => {
    const { port, got } = await serve((socket) => socket.write(answer));
    const pool = poolOf(port);
    expect([await ask(pool), await ask(pool)]).toEqual(['200 ok', '200 ok']);
    expect(got).toEqual([get.head, get.head]);
  });

  test('what comes unasked on an idle connection is nobody’s answer', async () => {
    const { port, sockets, got } = await serve((socket) => socket.write(fine));
    const pool = poolOf(port);
    await ask(pool);
    sockets[0]!.write('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged');
    await once(sockets[0]!, 'close');
    expect(await ask(pool)).toBe('200 ok');
    expect(got).toHaveLength(2);
  });

  test('a connection that the service ended while it was idle is not used again', async () => {
    const { port, sockets, got } = await serve((socket) => socket.write(fine));
    const pool = poolOf(port);
    await ask(pool);
    sockets[0]!.end();
    await once(sockets[0]!, 'close');
    expect(await ask(pool)).toBe('200 ok');
    expect(got).toEqual([get.head, get.head]);
  });

  test('beyond the most connections requests wait their turn, and those that are given up are not sent', async () => {
    const { port, got } = await serve((socket) => setTimeout(() => socket.write(fine), 20));
    const pool = poolOf(port, 2);
    const asked = Array.from({ length: 5 }, () => ask(pool));
    asked.push(ask(pool, get, (sending) => sending.abort(new Error('given up'))));
    expect(await Promise.all(asked)).toEqual([...Array.from({ length: 5 }, () => '200 ok'), 'not sent: given up']);
    expect(got.join('')).toBe(get.head.repeat(5));
    expect(got).toHaveLength(2);
  });

  test('a request that is ended ends its connection, and the next one waiting gets another', async () => {
    const { port, got } = await serve((socket, _text, connection) => connection > 0 && socket.write(fine));
    const pool = poolOf(port, 1);
    let first: Sending | undefined;
    const asked = [ask(pool, get, (sending) => (first = sending)), ask(pool)];
    while (got.length === 0) await sleep(5);
    first!.abort(new Error('gone'));
    expect(await Promise.all(asked)).toEqual(['sent: gone', '200 ok']);
  });

  test.each([
    ['never answers', '', { headersTimeout: 100 }],
    ['stops in the middle', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf', { bodyTimeout: 100 }],
  ])('a service that %s is given up', async (_title, answer, shorter) => {
    const { port } = await serve((socket) => socket.write(answer));
    expect(await ask(poolOf(port, 8, shorter))).toBe('sent: The service did not go on in time');
  });

  test.each([
    ['before a byte of the answer', ''],
    ['within the head', 'HTTP/1.1 200 OK\r\nContent-'],
    ['within the body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'],
    ['within a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf'],
  ])('a connection that ends %s is a failure', async (_title, answer) => {
    const { port } = await serve((socket) => socket.end(answer));
    expect(await ask(poolOf(port))).toBe('sent: The service ended the connection');
  });

  test('an answer whose end is the end of the connection is whole', async () => {
    const { port } = await serve((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nall'));
    expect(await ask(poolOf(port))).toBe('200 all');
  });

  test('what is no answer is a failure of the request that was sent', async () => {
    const { port } = await serve((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok'),
    );
    expect(await ask(poolOf(port))).toBe('sent: The answer cannot be read: its Content-Length is not one number');
  });

  test('a body that is there leaves with its head, of a length or in chunks', async () => {
    const { port, got } = await serve(
      (socket, text) => /(?:body|^0\r\n\r\n|\r\n0\r\n\r\n)$/.test(text) && socket.write(fine),
    );
    const pool = poolOf(port);
    const known = {
      method: 'POST',
      head: 'POST / HTTP/1.1\r\ncontent-length: 4\r\n\r\n',
      body: new PassThrough(),
      length: 4,
    };
    known.body.end('body');
    expect(await ask(pool, known)).toBe('200 ok');
    const head = 'POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n';
    const unknown = { method: 'POST', head, body: new PassThrough(), length: undefined };
    unknown.body.end('body');
    expect(await ask(pool, unknown)).toBe('200 ok');
    expect(got).toEqual([`${known.head}body${head}4\r\nbody\r\n0\r\n\r\n`]);
  });

  test.each(['no', 'nobody'])(
    'RFC 9112 §8: a body of another length than announced is not sent as one: %j',
    async (text) => {
      const { port, got } = await serve(() => undefined);
      const body = new PassThrough();
      const asked = ask(poolOf(port), {
        method: 'POST',
        head: 'POST / HTTP/1.1\r\ncontent-length: 4\r\n\r\n',
        body,
        length: 4,
      });
      body.end(text);
      expect(await asked).toBe('sent: The body of the request is not as long as it says');
      expect(got.join('')).not.toContain('nobody');
    },
  );

  test('an answer that comes before the body was sent is passed on, and the connection not used again', async () => {
    const { port, got } = await serve((socket) => socket.write(fine));
    const pool = poolOf(port);
    const body = new PassThrough();
    body.write('half');
    expect(
      await ask(pool, { method: 'POST', head: 'POST / HTTP/1.1\r\ncontent-length: 9\r\n\r\n', body, length: 9 }),
    ).toBe('200 ok');
    expect(body.readableFlowing).toBe(true);
    expect(await ask(pool)).toBe('200 ok');
    expect(got).toHaveLength(2);
  });

  test('a pool that is closed sends nothing', async () => {
    const { port, got } = await serve((socket) => socket.write(fine));
    const pool = poolOf(port);
    pool.close();
    expect(await ask(pool)).toBe('not sent: The way to the service is closed');
    expect(got).toEqual([]);
  });
});
