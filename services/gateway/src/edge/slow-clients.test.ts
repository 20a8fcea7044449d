import { afterEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type Socket, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { backend, edge as forwardingEdge } from '../testing/backend.ts';
import { addSchool, openTestEdge } from '../testing/test-edge.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A house whose catalogue is another process's, over the real connections. */
async function openSplitEdge(options: Parameters<typeof openTestEdge>[1] = {}) {
  const asked: string[] = [];
  const service = await backend((request, response) => {
    asked.push(request.url!);
    let size = 0;
    request.on('data', (piece: Buffer) => (size += piece.length)).on('end', () => response.end(`${size} bytes`));
  });
  const way = await forwardingEdge([service.url]);
  const { forward } = way.upstream;
  const edge = await openTestEdge({ catalog: forward }, { factor: 1_000, ...options });
  closing.push(() => service.die(), way.close, edge.close);
  return { edge, asked, reported: way.reported };
}

const opened = async (port: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  closing.push(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
};

const heard = async (socket: Socket): Promise<string> => {
  let text = '';
  socket.on('data', (piece: Buffer) => (text += piece.toString()));
  if (!socket.closed) await once(socket, 'close');
  return text;
};

const head = (port: number, length: number, host = `127.0.0.1:${port}`) =>
  `POST /api/courses HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${length}\r\n`;

describe('clients that are slow to send', () => {
  test('S4: 256 bodies that do not come take no connection to a service, and honest requests go on at once', async () => {
    const { edge, asked, reported } = await openSplitEdge();
    const slow = await Promise.all(Array.from({ length: 256 }, () => opened(edge.port)));
    for (const socket of slow) socket.write(`${head(edge.port, 1_000)}\r\nx`);
    const took: number[] = [];
    for (let honest = 0; honest < 8; honest += 1) {
      const began = performance.now();
      const answer = await edge.raw(`${head(edge.port, 5)}Connection: close\r\n\r\nhello`);
      expect([answer.status, answer.text]).toEqual([200, '5 bytes']);
      took.push(performance.now() - began);
    }
    expect(Math.max(...took)).toBeLessThan(1_000);
    expect(asked).toHaveLength(8);
    expect(reported).toEqual([]);
  });

  test('of too many bodies on their way from one address the oldest is given up with 408; another school keeps its own', async () => {
    const { edge } = await openSplitEdge({ inFlight: { bodies: { ofAddress: 100, ofSchool: 2 } } });
    addSchool(edge.hosts, { id: 'school_other', host: 'other.example', base_url: 'https://other.example' });
    const other = await opened(edge.port);
    other.write(`${head(edge.port, 5, 'other.example')}\r\nhell`);
    const slow = [await opened(edge.port), await opened(edge.port), await opened(edge.port)];
    for (const socket of slow) {
      socket.write(`${head(edge.port, 5)}Connection: close\r\n\r\nhell`);
      await sleep(30);
    }
    expect(await heard(slow[0]!)).toMatch(/^HTTP\/1.1 408 .*too long to arrive/s);
    for (const socket of [...slow.slice(1), other]) {
      socket.write('o');
      const [piece] = (await once(socket, 'data')) as [Buffer];
      expect(piece.toString()).toContain('200 OK');
    }
  });

  test('RFC 9110 §15.5.9: a small body that is late, and a large one below the slowest rate, end with 408', async () => {
    const { edge, asked } = await openSplitEdge({ slowness: { patience: 300, slowest: 1024 * 1024 } });
    const small = await opened(edge.port);
    small.write(`${head(edge.port, 5)}\r\nhell`);
    const large = await opened(edge.port);
    large.write(`${head(edge.port, 500_000)}\r\n${'x'.repeat(70_000)}`);
    const drip = setInterval(() => large.write('x'), 50);
    closing.push(() => clearInterval(drip));
    expect(await heard(small)).toMatch(/^HTTP\/1.1 408 /);
    expect(await heard(large)).toMatch(/^HTTP\/1.1 408 /);
    expect(asked).toEqual(['/api/courses']);
  });

  test('large and chunked bodies of an honest pace pass whole', async () => {
    const { edge } = await openSplitEdge();
    const large = await edge.raw(`${head(edge.port, 500_000)}Connection: close\r\n\r\n${'x'.repeat(500_000)}`);
    expect(large.text).toBe('500000 bytes');
    const chunked = `POST /api/courses HTTP/1.1\r\nHost: 127.0.0.1:${edge.port}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
    const pieces = `4000\r\n${'y'.repeat(0x4000)}\r\n`.repeat(10);
    expect((await edge.raw(`${chunked}${pieces}0\r\n\r\n`)).text).toBe(`${0x4000 * 10} bytes`);
  });
});

describe('requests under way at once', () => {
  const held = (): {
    readonly waiting: ServerResponse[];
    readonly catalog: (_: unknown, response: ServerResponse) => void;
  } => {
    const waiting: ServerResponse[] = [];
    return { waiting, catalog: (_, response) => void waiting.push(response) };
  };

  test.each([
    ['address', { ofAddress: 2, ofSchool: 10 }, 429, 'rate_limited'],
    ['school', { ofAddress: 10, ofSchool: 2 }, 503, 'temporarily_unavailable'],
  ])(
    'beyond the quota of an %s the next is refused with Retry-After until one is answered',
    async (_, quota, code, error) => {
      const { waiting, catalog } = held();
      const edge = await openTestEdge({ catalog }, { factor: 1_000, inFlight: { requests: quota } });
      closing.push(edge.close);
      const first = [edge.ask('GET', '/api/courses'), edge.ask('GET', '/api/courses')];
      while (waiting.length < 2) await sleep(5);
      const { status, headers, text } = await edge.ask('GET', '/api/courses');
      expect([status, JSON.parse(text).error, headers['retry-after']]).toEqual([code, error, '1']);
      for (const response of waiting) response.end();
      for (const answer of first) expect((await answer).status).toBe(200);
      const again = edge.ask('GET', '/api/courses');
      while (waiting.length < 3) await sleep(5);
      waiting[2]!.end();
      expect((await again).status).toBe(200);
    },
  );
});
