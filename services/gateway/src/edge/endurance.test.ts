import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type House, openHouse } from '../testing/house.ts';
import { backend, edge } from '../testing/backend.ts';

/** Connections that stand open and say nothing; 10,000 need `ulimit -n` above 20,000. */
const idle = Number(process.env['IDLE_CONNECTIONS'] ?? 2_000);

const open = async (port: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
};

/** All that a connection says until it ends. */
async function heard(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  if (!socket.closed) await once(socket, 'close');
  return text;
}

/** Sends a piece again and again for as long as the connection stands. */
async function drip(socket: Socket, piece: string): Promise<void> {
  while (!socket.destroyed && socket.writable) {
    socket.write(piece);
    await sleep(20);
  }
}

describe('the edge under clients that mean harm', () => {
  let house: House;
  beforeAll(async () => {
    house = await openHouse(
      {},
      { factor: 100, server: { headersTimeout: 400, requestTimeout: 800, connectionsCheckingInterval: 50 } },
    );
  });
  afterAll(() => house.close());
  const answers = async () => (await house.ask('GET', '/api/courses')).status;

  test('RFC 9110 §15.5.9: heads that come byte by byte end with 408 or the connection, and others are answered meanwhile', async () => {
    const slow = await Promise.all(Array.from({ length: 50 }, () => open(house.port)));
    const ends = slow.map((socket) => heard(socket));
    for (const socket of slow) {
      socket.write(`GET /api/courses HTTP/1.1\r\nHost: 127.0.0.1:${house.port}\r\n`);
      void drip(socket, 'X-A: b\r\n');
    }
    expect(await answers()).toBe(200);
    for (const text of await Promise.all(ends)) expect(text).toMatch(/^(?:HTTP\/1.1 408 |$)/);
    expect(house.seen).toHaveLength(1);
  });

  test('RFC 9110 §15.5.9: bodies that come byte by byte end in time, and others are answered meanwhile', async () => {
    const slow = await Promise.all(Array.from({ length: 50 }, () => open(house.port)));
    const ends = slow.map((socket) => heard(socket));
    for (const socket of slow) {
      socket.write(`POST /api/courses HTTP/1.1\r\nHost: 127.0.0.1:${house.port}\r\nContent-Length: 100000\r\n\r\n`);
      void drip(socket, 'x');
    }
    expect(await answers()).toBe(200);
    for (const text of await Promise.all(ends)) expect(text).not.toContain(' 200 ');
    expect(await answers()).toBe(200);
  });

  test('heads and bodies that are too large are refused, many at once, and others are answered', async () => {
    const large = `GET /api/courses HTTP/1.1\r\nHost: 127.0.0.1:${house.port}\r\nX-Large: ${'x'.repeat(64 * 1024)}\r\n\r\n`;
    const long = `POST /api/courses HTTP/1.1\r\nHost: 127.0.0.1:${house.port}\r\nContent-Length: 9999999999\r\n\r\n`;
    const before = house.seen.length;
    const refused = await Promise.all(
      [large, long].flatMap((bytes) => Array.from({ length: 20 }, () => house.raw(bytes))),
    );
    // The refusal may be lost where the client is still sending what nobody reads.
    expect(refused.filter(({ status }) => ![0, 413, 431].includes(status))).toEqual([]);
    expect(refused.some(({ status }) => status === 413)).toBe(true);
    expect(house.seen).toHaveLength(before);
    expect(await answers()).toBe(200);
  });
});

describe('the edge and many connections', () => {
  test(`${idle} idle connections cost nobody an answer`, async () => {
    const service = await backend((_request, response) => void response.end('fine'));
    const { port, url, close } = await edge([service.url]);
    const sockets: Socket[] = [];
    try {
      for (let made = 0; made < idle; made += 200)
        sockets.push(...(await Promise.all(Array.from({ length: Math.min(200, idle - made) }, () => open(port)))));
      expect(await (await fetch(url)).text()).toBe('fine');
      for (const socket of sockets.splice(0, idle / 2)) socket.resetAndDestroy();
      expect(await (await fetch(url)).text()).toBe('fine');
    } finally {
      for (const socket of sockets) socket.destroy();
      await close();
      await service.die();
    }
  }, 120_000);
});
