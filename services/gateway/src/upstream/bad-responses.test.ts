import { afterEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describedSettings } from '@lyceum/host';
import { edge } from '../testing/backend.ts';

const answer = (lines: readonly string[], body = ''): string => `${lines.join('\r\n')}\r\n\r\n${body}`;
const ok = 'HTTP/1.1 200 OK';
const chunked = 'Transfer-Encoding: chunked';
const fine = answer([ok, 'Content-Length: 4'], 'fine');

const open: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** An edge before a service of bytes: `reply` is called for everything that arrives. */
async function before(reply: (socket: Socket, text: string, connection: number) => void, patience = {}) {
  const got: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const connection = sockets.push(socket) - 1;
    socket.on('error', () => undefined).setEncoding('latin1');
    socket.on('data', (text: string) => {
      got[connection] = (got[connection] ?? '') + text;
      reply(socket, text, connection);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(() => (server.close(), sockets.forEach((socket) => socket.destroy())));
  const made = await edge([`http://127.0.0.1:${(server.address() as AddressInfo).port}`], patience);
  open.push(made.close);
  const ask = async (method = 'GET') => {
    const response = await fetch(made.url, { method, ...(method === 'POST' ? { body: 'x' } : {}) }).catch(
      () => undefined,
    );
    return response ? [response.status, await response.text().catch(() => 'broken off')] : [0, 'broken off'];
  };
  return { ...made, ask, got, sockets };
}

/** An edge whose service says this to the first POST, and gives a good answer to all others. */
const saying = (bytes: string) =>
  before((socket, text) => void socket.write(text.startsWith('POST') ? bytes : fine, 'latin1'));

describe('RFC 9112 §6: where a response ends', () => {
  test.each([
    ['its length', answer([ok, 'Content-Length: 4'], 'body'), 'body'],
    ['chunks', answer([ok, chunked], '3\r\nbod\r\n1;ext="v"\r\ny\r\n0\r\n\r\n'), 'body'],
    ['chunks with trailers', answer([ok, chunked], '4\r\nbody\r\n0\r\nX-Sum: 1\r\nX-More:\r\n\r\n'), 'body'],
    [
      'an interim response first',
      answer(['HTTP/1.1 103 Early Hints', 'Link: </a>']) + answer([ok, 'Content-Length: 1'], 'x'),
      'x',
    ],
    ['HTTP/1.0', answer(['HTTP/1.0 200 OK', 'Content-Length: 1'], 'x'), 'x'],
    ['a byte too many', answer([ok, 'Content-Length: 1'], 'xy'), 'x'],
    [
      'a whole response too many',
      answer([ok, 'Content-Length: 1'], `x${answer([ok, 'Content-Length: 6'], 'forged')}`),
      'x',
    ],
  ])('%s', async (_title, bytes, body) => {
    const { ask } = await saying(bytes);
    expect(await ask('POST')).toEqual([200, body]);
    expect([await ask(), await ask()]).toEqual([
      [200, 'fine'],
      [200, 'fine'],
    ]);
  });

  test('the end of the connection, without a length and chunks', async () => {
    const { ask } = await before((socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\nall'));
    expect(await ask()).toEqual([200, 'all']);
  });

  test.each([
    ['before a byte of the response', ''],
    ['within the head', 'HTTP/1.1 200 OK\r\nContent-'],
    ['within the body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'],
    ['within a chunk', `HTTP/1.1 200 OK\r\n${chunked}\r\n\r\n9\r\nhalf`],
  ])('a connection that ends %s is a failure', async (_title, bytes) => {
    const { ask, reported } = await before((socket) => void socket.end(bytes));
    expect(await ask('POST')).toEqual(bytes.includes('half') ? [200, 'broken off'] : [503, expect.any(String)]);
    expect(reported).toHaveLength(1);
  });
});

describe('a response that two readers could read differently is refused, and never becomes the response to another request', () => {
  test.each([
    ['two lengths', answer([ok, 'Content-Length: 3', 'Content-Length: 4'], 'abc')],
    ['one length twice', answer([ok, 'Content-Length: 3', 'content-length: 3'], 'abc')],
    ['a list of lengths', answer([ok, 'Content-Length: 3, 3'], 'abc')],
    ['a signed length', answer([ok, 'Content-Length: +3'], 'abc')],
    ['a hexadecimal length', answer([ok, 'Content-Length: 0x3'], 'abc')],
    ['an empty length', answer([ok, 'Content-Length:'], 'abc')],
    ['a length beyond counting', answer([ok, `Content-Length: ${'9'.repeat(20)}`])],
    ['RFC 9112 §6.1: a length beside chunks', answer([ok, 'Content-Length: 3', chunked], '0\r\n\r\n')],
    ['chunks beside a length', answer([ok, chunked, 'Content-Length: 3'], '0\r\n\r\n')],
    ['RFC 9112 §5.1: a space before the colon', answer([ok, 'Content-Length : 3'], 'abc')],
    ['no colon', answer([ok, 'nonsense'])],
    ['no name', answer([ok, ': value'])],
    ['a name of two words', answer([ok, 'X A: b'])],
    ['a bare line feed', `${ok}\r\nX-A: b\nContent-Length: 3\r\n\r\nabc`],
    ['a bare carriage return', answer([ok, 'X-A: b\rContent-Length: 3'], 'abc')],
    ['a zero byte', answer([ok, 'X-A: \0'])],
    ['a control character', answer([ok, 'X-A: \x7f'])],
    ['another version', answer(['HTTP/2 200 OK'])],
    ['a version of two digits', answer(['HTTP/1.10 200 OK'])],
    ['another protocol', answer(['ICY 200 OK'])],
    ['a status of two digits', answer(['HTTP/1.1 20 OK'])],
    ['a change of protocol', answer(['HTTP/1.1 101 Switching Protocols', 'Upgrade: x'])],
    ['a head without end', `${ok}\r\nX-A: ${'x'.repeat(20_000)}`],
  ])('%s', async (_title, bytes) => {
    const { ask, reported } = await saying(bytes);
    expect(await ask('POST')).toEqual([503, expect.stringContaining('Idempotency-Key')]);
    expect(reported).toHaveLength(1);
    expect(await ask()).toEqual([200, 'fine']);
  });

  test.each([
    ['a chunk without a size', '\r\nx'],
    ['a negative size', '-1\r\nx'],
    ['a size that is no number', '0x1\r\nx\r\n'],
    ['a size with spaces', '1 \r\nx\r\n'],
    ['a size beyond counting', `${'f'.repeat(17)}\r\nx`],
    ['a chunk that is longer than its size', '1\r\nxy\r\n0\r\n\r\n'],
    ['a chunk line that ends with a line feed only', '1\nx\r\n0\r\n\r\n'],
    ['a carriage return in an extension', '1;a\rb\r\nx\r\n0\r\n\r\n'],
    ['a trailer that is no header', '0\r\nnonsense\r\n\r\n'],
  ])('%s', async (_title, body) => {
    const { ask, reported } = await saying(answer([ok, chunked], body));
    expect((await ask('POST'))[1]).toMatch(/broken off|Idempotency-Key/);
    expect(reported).toHaveLength(1);
    expect(await ask()).toEqual([200, 'fine']);
  });
});

test('RFC 9110 §7.6.1: what concerns the connection only is not passed on, nor is the token of services', async () => {
  const kept = ['set-cookie: a=1', 'set-cookie: b=2', 'x-kind: \xf6l'];
  const hops = [
    'Connection: X-Mine, keep-alive',
    'X-Mine: 1',
    'Keep-Alive: timeout=5',
    'TE: a',
    'Trailer: b',
    'Proxy-Authenticate: c',
    'X-Service-Token: secret',
  ];
  const { port } = await saying(answer([ok, ...hops, ...kept, 'Content-Length: 1'], 'x'));
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let text = '';
  socket.on('data', (piece: string) => (text += piece));
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx');
  await once(socket, 'close');
  for (const line of kept) expect(text).toContain(`\r\n${line}\r\n`);
  expect(text).not.toMatch(/x-mine|timeout=5|\r\n(?:te|trailer|proxy-authenticate|x-service-token):/i);
});

describe('connections to a service', () => {
  test.each([
    ['says so', answer([ok, 'Connection: close', 'Content-Length: 4'], 'fine')],
    ['speaks HTTP/1.0', answer(['HTTP/1.0 200 OK', 'Content-Length: 4'], 'fine')],
    ['keeps it for a moment only', answer([ok, 'Keep-Alive: timeout=1', 'Content-Length: 4'], 'fine')],
  ])('are not used again when the service %s', async (_title, bytes) => {
    const { ask, got } = await before((socket) => void socket.write(bytes));
    expect([await ask(), await ask()]).toEqual([
      [200, 'fine'],
      [200, 'fine'],
    ]);
    expect(got).toHaveLength(2);
  });

  test('what comes unasked on an idle connection is the response to nobody', async () => {
    const { ask, sockets, got } = await before((socket) => void socket.write(fine));
    expect(await ask()).toEqual([200, 'fine']);
    sockets[0]!.write(answer([ok, 'Content-Length: 6'], 'forged'));
    await once(sockets[0]!, 'close');
    expect(await ask()).toEqual([200, 'fine']);
    expect(got).toHaveLength(2);
  });

  test('one that the service ended while it was idle is not used again', async () => {
    const { ask, sockets, got } = await before((socket) => void socket.write(fine));
    await ask();
    sockets[0]!.end();
    await once(sockets[0]!, 'close');
    expect(await ask('POST')).toEqual([200, 'fine']);
    expect(got).toHaveLength(2);
  });

  test('one that is idle is ended before an instance that stops would end it: what was sent meanwhile would be lost', async () => {
    const { ask, sockets } = await before((socket) => void socket.write(fine));
    await ask();
    const ended = once(sockets[0]!, 'end').then(() => 'ended');
    const settings = describedSettings([]).flatMap((group) => group.settings);
    const drain = Number(settings.find(({ variable }) => variable === 'DRAIN_MS')!.standard);
    expect(await Promise.race([ended, sleep(drain, 'kept')])).toBe('ended');
  });

  test('a service that stops in the middle of a response is given up', async () => {
    const half = answer([ok, 'Content-Length: 9'], 'half');
    const { ask, reported } = await before((socket) => void socket.write(half), { bodyTimeout: 100 });
    expect(await ask()).toEqual([200, 'broken off']);
    expect(reported).toHaveLength(1);
  });

  test('a response that comes before the body was sent is passed on, and the connection not used again', async () => {
    const { ask, port, got } = await before((socket) => void socket.write(fine));
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf');
    const [text] = (await once(socket, 'data')) as [string];
    expect(text).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*fine$/);
    socket.write('other');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const [more] = (await once(socket, 'data')) as [string];
    expect(more).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*fine$/);
    expect(await ask()).toEqual([200, 'fine']);
    expect(got.length).toBeGreaterThanOrEqual(2);
  });

  test('RFC 9112 §8: a body that ends before its announced length is not sent as a whole one', async () => {
    const { port, got, sockets } = await before(() => undefined);
    const socket = connect(port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf');
    while (!got[0]?.includes('half')) await sleep(5);
    socket.destroy();
    await once(sockets[0]!, 'close');
    expect(got.join('')).toMatch(/content-length: 9\r\n\r\nhalf$/);
  });
});
