import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import fc from 'fast-check';
import type { AnswerHead } from './answer-head.ts';
import { AnswerReader } from './answer-reader.ts';

/** What a reader told of one answer. */
interface Read {
  readonly status: number | undefined;
  readonly headers: readonly string[];
  readonly body: string;
  readonly isComplete: boolean;
  readonly isReusable: boolean;
}

/** Reads an answer that arrives in these pieces, each in the same buffer as the one before, and then the end of the connection. */
function read(pieces: readonly string[], { method = 'GET', ends = false } = {}): Read {
  let head: AnswerHead | undefined;
  let body = '';
  const reader = new AnswerReader({
    answered: (told, whole) => void ([head, body] = [told, whole ?? '']),
    received: (piece) => void (body += piece.toString('latin1')),
  });
  const buffer = Buffer.alloc(100_000);
  reader.begin(method);
  let isComplete = false;
  for (const piece of pieces) isComplete = reader.read(buffer, buffer.write(piece, 'latin1'));
  if (ends) isComplete ||= reader.endsHere();
  return { status: head?.status, headers: head?.headers ?? [], body, isComplete, isReusable: reader.isReusable };
}

const answer = (lines: readonly string[], body = ''): string => `${lines.join('\r\n')}\r\n\r\n${body}`;
const ok = 'HTTP/1.1 200 OK';
const chunked = 'Transfer-Encoding: chunked';

describe('RFC 9112 §6: where an answer ends', () => {
  test.each([
    ['its length', answer([ok, 'Content-Length: 4'], 'body'), 'body', true],
    ['no bytes', answer([ok, 'content-length:0']), '', true],
    ['chunks', answer([ok, chunked], '3\r\nbod\r\n1;ext="v"\r\ny\r\n0\r\n\r\n'), 'body', true],
    ['chunks with trailers', answer([ok, chunked], '4\r\nbody\r\n0\r\nX-Sum: 1\r\nX-More:\r\n\r\n'), 'body', true],
    [
      'an interim answer first',
      answer(['HTTP/1.1 103 Early Hints', 'Link: </a>']) + answer([ok, 'Content-Length: 1'], 'x'),
      'x',
      true,
    ],
    ['no reason phrase', answer(['HTTP/1.1 200', 'Content-Length: 1'], 'x'), 'x', true],
    [
      'HTTP/1.0 that keeps the connection',
      answer(['HTTP/1.0 200 OK', 'Connection: Keep-Alive', 'Content-Length: 1'], 'x'),
      'x',
      true,
    ],
    ['HTTP/1.0', answer(['HTTP/1.0 200 OK', 'Content-Length: 1'], 'x'), 'x', false],
    ['close', answer([ok, 'Connection: Close', 'Content-Length: 1'], 'x'), 'x', false],
    ['a byte too many', answer([ok, 'Content-Length: 1'], 'xy'), 'x', false],
    ['a byte behind the chunks', answer([ok, chunked], '1\r\nx\r\n0\r\n\r\n\r'), 'x', false],
    ['204 with a length', answer(['HTTP/1.1 204 No Content', 'Content-Length: 3']), '', true],
    ['304 with a length', answer(['HTTP/1.1 304 Not Modified', 'Content-Length: 3']), '', true],
    ['bytes behind 304', answer(['HTTP/1.1 304 Not Modified', 'Content-Length: 3'], 'abc'), '', false],
  ])('%s', (_title, text, body, isReusable) => {
    expect(read([text])).toMatchObject({ body, isComplete: true, isReusable });
  });

  test('a HEAD has no body whatever its head says', () => {
    for (const framing of ['Content-Length: 9', chunked])
      expect(read([answer([ok, framing])], { method: 'HEAD' })).toMatchObject({
        body: '',
        isComplete: true,
        isReusable: true,
      });
  });

  test('without length and chunks the end of the connection is the end', () => {
    const text = answer([ok, 'X-Kind: open'], 'all that comes');
    expect(read([text])).toMatchObject({ isComplete: false });
    expect(read([text], { ends: true })).toMatchObject({ body: 'all that comes', isComplete: true, isReusable: false });
  });

  test.each([
    answer([ok, 'Content-Length: 4'], 'bod'),
    answer([ok, chunked], '4\r\nbody\r\n'),
    answer([ok, chunked], '4\r\nbody\r\n0\r\n'),
    `${ok}\r\nA: b`,
  ])('an answer that is cut off is not complete: %j', (text) =>
    expect(read([text], { ends: true })).toMatchObject({ isComplete: false, isReusable: false }),
  );
});

describe('an answer that two readers could read differently is refused', () => {
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
    ['two codings', answer([ok, chunked, chunked], '0\r\n\r\n')],
    ['a coding before chunked', answer([ok, 'Transfer-Encoding: gzip, chunked'], '0\r\n\r\n')],
    ['an unknown coding', answer([ok, 'Transfer-Encoding: xchunked'], '0\r\n\r\n')],
    ['chunks in HTTP/1.0', answer(['HTTP/1.0 200 OK', chunked], '0\r\n\r\n')],
    ['RFC 9112 §5.2: a folded line', answer([ok, 'X-A: b', ' folded'])],
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
    ['a status of four digits', answer(['HTTP/1.1 2000 OK'])],
    ['a line before the status', `\r\n${answer([ok])}`],
    ['a change of protocol', answer(['HTTP/1.1 101 Switching Protocols', 'Upgrade: x'])],
    ['a chunk without a size', answer([ok, chunked], '\r\nx')],
    ['a negative size', answer([ok, chunked], '-1\r\nx')],
    ['a size that is no number', answer([ok, chunked], '0x1\r\nx\r\n')],
    ['a size with spaces', answer([ok, chunked], '1 \r\nx\r\n')],
    ['a size beyond counting', answer([ok, chunked], `${'f'.repeat(16)}\r\nx`)],
    ['a chunk that is longer than its size', answer([ok, chunked], '1\r\nxy\r\n0\r\n\r\n')],
    ['a chunk line that ends with a line feed only', answer([ok, chunked], '1\nx\r\n0\r\n\r\n')],
    ['a carriage return in an extension', answer([ok, chunked], '1;a\rb\r\nx\r\n0\r\n\r\n')],
    ['a trailer that is no header', answer([ok, chunked], '0\r\nnonsense\r\n\r\n')],
    ['a folded trailer', answer([ok, chunked], '0\r\nX-A: b\r\n c\r\n\r\n')],
    ['a head without end', `${ok}\r\nX-A: ${'x'.repeat(20_000)}`],
    ['an extension without end', answer([ok, chunked], `1;${'x'.repeat(20_000)}`)],
    ['many trailers', answer([ok, chunked], `0\r\n${`X-A: ${'x'.repeat(5_000)}\r\n`.repeat(4)}\r\n`)],
    ['many extensions', answer([ok, chunked], `1;${'x'.repeat(5_000)}\r\ny\r\n`.repeat(4))],
  ])('%s', (_title, text) => {
    expect(() => read([text])).toThrow('The answer cannot be read');
    expect(() => read([...text])).toThrow('The answer cannot be read');
  });
});

test('RFC 9110 §7.6.1: what concerns the connection only is not passed on, nor is the token of services', () => {
  const kept = ['set-cookie', 'a=1', 'set-cookie', 'b=2', 'x-kind', 'öl'];
  const hops = [
    'Connection: X-Mine, keep-alive',
    'X-Mine: 1',
    'Keep-Alive: timeout=5',
    'TE: a',
    'Trailer: b',
    'Upgrade: c',
  ];
  const more = ['Proxy-Connection: d', 'Proxy-Authenticate: e', 'X-Service-Token: f', chunked];
  const { headers } = read([answer([ok, 'Set-Cookie: a=1', ...hops, 'SET-COOKIE:b=2 ', ...more, 'X-Kind:\t öl \t'])]);
  expect(headers).toEqual(kept);
});

/** How Node's own client reads the bytes of an answer. */
async function byNode(text: string): Promise<Pick<Read, 'status' | 'body'>> {
  const server = createServer((socket) => socket.once('data', () => socket.end(text, 'latin1'))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [told] = (await once(request({ port, host: '127.0.0.1', agent: false }).end(), 'response')) as [
    IncomingMessage,
  ];
  let body = '';
  for await (const chunk of told.setEncoding('latin1')) body += String(chunk);
  server.close();
  return { status: told.statusCode, body };
}

const bytes = fc.uint8Array({ maxLength: 60 }).map((all) => Buffer.from(all).toString('latin1'));
const chunksOf = (pieces: readonly string[]): string =>
  `${pieces.map((piece) => `${piece.length.toString(16)};n=1\r\n${piece}\r\n`).join('')}0\r\nX-Sum: 1\r\n\r\n`;
const valid = fc
  .record({
    status: fc.constantFrom(200, 201, 400, 404, 503),
    pieces: fc.array(
      bytes.filter((piece) => piece !== ''),
      { maxLength: 4 },
    ),
    framing: fc.constantFrom('length', 'chunks', 'end'),
    interim: fc.boolean(),
  })
  .map(({ status, pieces, framing, interim }) => {
    const body = pieces.join('');
    const first = interim ? answer(['HTTP/1.1 103 Early Hints', 'Link: </a>']) : '';
    const line = `HTTP/1.1 ${status} Some Reason`;
    if (framing === 'chunks') return { status, body, text: first + answer([line, chunked], chunksOf(pieces)) };
    const lines = framing === 'length' ? [line, `Content-Length: ${body.length}`] : [line, 'Connection: close'];
    return { status, body, text: first + answer(lines, body) };
  });

describe('the bytes of an answer may be cut anywhere', () => {
  test('in two at each place, and into single bytes', () => {
    const { text, body } = {
      body: 'abcdefghijk',
      text: answer([ok, 'X-A: b', chunked], chunksOf(['abcdef', 'ghijk'])),
    };
    for (let at = 1; at < text.length; at += 1)
      expect(read([text.slice(0, at), text.slice(at)])).toMatchObject({ body, isComplete: true, isReusable: true });
    expect(read([...text])).toMatchObject({ status: 200, body, isComplete: true, isReusable: true });
  });

  test('whatever the answer is and wherever it is cut, it is what was sent', () => {
    const cuts = fc.array(fc.nat(400), { maxLength: 6 });
    fc.assert(
      fc.property(valid, cuts, ({ text, status, body }, places) => {
        const edges = [0, ...places.filter((place) => place < text.length).toSorted((a, b) => a - b), text.length];
        const pieces = edges.slice(1).map((edge, index) => text.slice(edges[index], edge));
        expect(read(pieces, { ends: true })).toMatchObject({ status, body, isComplete: true });
      }),
    );
  });

  test("it is what Node's own client reads", async () => {
    await fc.assert(
      fc.asyncProperty(valid, async ({ text }) => {
        const { status, body } = read([text], { ends: true });
        expect({ status, body }).toEqual(await byNode(text));
      }),
      { numRuns: 30 },
    );
  });

  test('whatever the bytes are, they are read or refused, and what is passed on cannot break out of its line', () => {
    const junk = fc.array(
      fc.constantFrom('\r\n', '\r', '\n', ' ', ':', 'a', ok, 'Content-Length: 1', chunked, '0', 'x', '\0', ';'),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(junk, (parts) => {
        try {
          const { headers } = read([`${ok}\r\n${parts.join('')}\r\n\r\n`]);
          expect(headers.join('')).not.toMatch(/[\r\n\0]/);
        } catch (error) {
          expect((error as Error).name).toBe('BadAnswer');
        }
      }),
      { numRuns: 500 },
    );
  });
});
