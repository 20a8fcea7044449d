import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type TestEdge, openTestEdge } from '../testing/test-edge.ts';

const wanted = 10_000;
/** Files that a process may have open here; NaN where there is no limit. */
const allowed = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }));
/** Connections that stand open and say nothing; the rest of the files is for everything else. */
const idle = allowed < wanted + 1_000 ? Math.floor(allowed / 2) : wanted;
const short = idle < wanted ? ` (not ${wanted}: ulimit -n is ${allowed})` : '';
/** What one of them may cost the gateway, in bytes, buffers of the kernel aside. */
const mostMemory = 32 * 1024;

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
  let edge: TestEdge;
  beforeAll(async () => {
    edge = await openTestEdge(
      {},
      { factor: 100, server: { headersTimeout: 400, requestTimeout: 800, connectionsCheckingInterval: 50 } },
    );
  });
  afterAll(() => edge.close());
  const answers = async () => (await edge.ask('GET', '/api/courses')).status;

  test('RFC 9110 §15.5.9: heads that come byte by byte end with 408 or the connection, and others are answered meanwhile', async () => {
    const slow = await Promise.all(Array.from({ length: 50 }, () => open(edge.port)));
    const ends = slow.map((socket) => heard(socket));
    for (const socket of slow) {
      socket.write(`GET /api/courses HTTP/1.1\r\nHost: 127.0.0.1:${edge.port}\r\n`);
      void drip(socket, 'X-A: b\r\n');
    }
    expect(await answers()).toBe(200);
    for (const text of await Promise.all(ends)) expect(text).toMatch(/^(?:HTTP\/1.1 408 |$)/);
    expect(edge.seen).toHaveLength(1);
  });

  test('RFC 9110 §15.5.9: bodies that come byte by byte end in time, and others are answered meanwhile', async () => {
    const slow = await Promise.all(Array.from({ length: 50 }, () => open(edge.port)));
    const ends = slow.map((socket) => heard(socket));
    for (const socket of slow) {
      socket.write(`POST /api/courses HTTP/1.1\r\nHost: 127.0.0.1:${edge.port}\r\nContent-Length: 100000\r\n\r\n`);
      void drip(socket, 'x');
    }
    expect(await answers()).toBe(200);
    for (const text of await Promise.all(ends)) expect(text).not.toContain(' 200 ');
    expect(await answers()).toBe(200);
  });

  test('heads and bodies that are too large are refused, many at once, and others are answered', async () => {
    const large = `GET /api/courses HTTP/1.1\r\nHost: 127.0.0.1:${edge.port}\r\nX-Large: ${'x'.repeat(64 * 1024)}\r\n\r\n`;
    const long = `POST /api/courses HTTP/1.1\r\nHost: 127.0.0.1:${edge.port}\r\nContent-Length: 9999999999\r\n\r\n`;
    const before = edge.seen.length;
    const refused = await Promise.all(
      [large, long].flatMap((bytes) => Array.from({ length: 20 }, () => edge.raw(bytes))),
    );
    // The refusal may be lost where the client is still sending what nobody reads.
    expect(refused.filter(({ status }) => ![0, 413, 431].includes(status))).toEqual([]);
    expect(refused.some(({ status }) => status === 413)).toBe(true);
    expect(edge.seen).toHaveLength(before);
    expect(await answers()).toBe(200);
  });
});

/** Starts clients that connect and say nothing, in a process of their own; dead, they leave their connections torn. */
async function idleClients(port: number, count: number) {
  const script = fileURLToPath(new URL('../testing/idle-clients.mjs', import.meta.url));
  const child = fork(script, [String(port), String(count)], { execArgv: [] });
  const exited = once(child, 'exit');
  const says = async (word: string) => {
    const [said] = await Promise.race([once(child, 'message'), exited]);
    expect(said).toBe(word);
  };
  const die = async () => void (child.kill('SIGKILL'), await exited);
  await says('open').catch(async (error: unknown) => (await die(), Promise.reject(error)));
  return { tearHalf: async () => (child.send('tear'), await says('torn')), die };
}

describe('the edge and many connections', () => {
  test(`${idle} connections that say nothing${short} cost nobody an answer, and little memory`, async () => {
    const edge = await openTestEdge({}, { factor: 100 });
    const answers = async () => (await edge.ask('GET', '/api/courses')).status;
    expect(await answers()).toBe(200);
    const before = process.memoryUsage.rss();
    const clients = await idleClients(edge.port, idle);
    try {
      // Connections are accepted in turn: who is answered now came after all of them.
      expect(await answers()).toBe(200);
      const each = (process.memoryUsage.rss() - before) / idle;
      process.stdout.write(`${idle} idle connections${short}: ${(each / 1024).toFixed(1)} KiB each\n`);
      expect(each).toBeLessThan(mostMemory);
      await clients.tearHalf();
      expect(await answers()).toBe(200);
      await clients.die();
      expect(await answers()).toBe(200);
    } finally {
      await clients.die();
      await edge.close();
    }
  });
});
