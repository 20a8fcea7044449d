import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { checkOperations } from '../openapi/conformance.ts';
import { describe as describeOperations } from '../openapi/openapi.ts';
import { type Call, operation } from '../operations/operation.ts';
import { type Serving, serving } from '../testing/serving.ts';

const lines = 'application/x-ndjson';

const shout = operation({
  id: 'shoutLines',
  method: 'POST',
  path: '/internal/shouts',
  area: 'shouts',
  summary: 'Give every line back in capitals',
  anonymous: true,
  takes: lines,
  gives: lines,
  status: 200,
  handle: async ({ incoming }: Call) => ({ body: shouted(incoming!) }),
});

async function* shouted(incoming: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const part of incoming) {
    const text = Buffer.from(part).toString('utf8');
    if (text.includes('fail')) throw new Error('planned failure');
    yield text.toUpperCase();
  }
}

describe('an operation with a media type of its own', () => {
  let served: Serving;
  afterEach(() => served.close());
  const post = async (raw: string, type = lines) => {
    served = await serving([shout]);
    return served.send('/internal/shouts', { method: 'POST', raw, headers: { 'content-type': type } });
  };

  test('reads and answers pieces, longer than any JSON body may be', async () => {
    const answer = await post('a'.repeat(1_000_000));
    expect([answer.status, answer.headers['content-type']]).toEqual([200, lines]);
    expect(answer.text).toBe('A'.repeat(1_000_000));
  });

  test('refuses other media types with 415', async () => {
    expect((await post('{}', 'application/json')).status).toBe(415);
  });

  test('an answer that breaks off in the middle is no answer', async () => {
    await expect(post(`fine${'.'.repeat(200_000)}fail`)).rejects.toThrow();
  });

  test('says in its description what it takes and gives', () => {
    checkOperations([shout]);
    const { paths } = describeOperations('shouts', [shout]) as { paths: Record<string, Record<string, object>> };
    const lined = { content: { [lines]: { schema: { type: 'string' } } } };
    expect(paths['/internal/shouts']!['post']).toMatchObject({
      requestBody: { required: true, ...lined },
      responses: { 200: lined },
    });
  });
});

describe('an operation that gives JSON or another media type', () => {
  const tally = operation({
    id: 'readTally',
    method: 'GET',
    path: '/internal/tally',
    area: 'tallies',
    summary: 'Read a tally',
    anonymous: true,
    query: z.strictObject({ format: z.enum(['json', 'csv']).default('json') }),
    status: 200,
    reply: z.object({ count: z.int() }),
    alsoGives: 'text/csv; charset=utf-8',
    handle: async ({ query }) =>
      query.format === 'csv'
        ? { text: 'count\r\n3\r\n', headers: { 'Content-Disposition': 'attachment' } }
        : { body: { count: 3, secret: 1 } },
  });

  test('answers as it is asked, and is described with both', async () => {
    checkOperations([tally]);
    const served = await serving([tally]);
    try {
      const csv = await served.send('/internal/tally?format=csv');
      expect([csv.status, csv.text, csv.headers['content-type']]).toEqual([
        200,
        'count\r\n3\r\n',
        'text/csv; charset=utf-8',
      ]);
      expect([csv.headers['content-disposition'], csv.headers['cache-control']]).toEqual([
        'attachment',
        'private, no-store',
      ]);
      expect((await served.send('/internal/tally')).text).toBe('{"count":3}');
    } finally {
      await served.close();
    }
    const { paths } = describeOperations('tallies', [tally]) as { paths: Record<string, Record<string, object>> };
    const content = { 'application/json': {}, 'text/csv; charset=utf-8': { schema: { type: 'string' } } };
    expect(paths['/internal/tally']!['get']).toMatchObject({ responses: { 200: { content } } });
  });
});

describe('an operation that takes JSON or a media type of its own', () => {
  const count = operation({
    id: 'countLines',
    method: 'POST',
    path: '/internal/lines',
    area: 'lines',
    summary: 'Count lines',
    anonymous: true,
    takes: 'text/plain',
    body: z.strictObject({ lines: z.array(z.string()) }),
    bodyLimit: 1_000,
    status: 200,
    reply: z.object({ lines: z.int() }),
    async handle({ body, incoming }) {
      if (!incoming) return { body: { lines: body.lines.length } };
      let text = '';
      for await (const part of incoming) text += Buffer.from(part).toString('utf8');
      return { body: { lines: text.split('\n').length } };
    },
  });
  let served: Serving;
  beforeAll(async () => void (served = await serving([count])));
  afterAll(() => served.close());
  const post = (raw: string, type: string) =>
    served.send('/internal/lines', { method: 'POST', raw, headers: { 'content-type': type } });

  test.each([
    ['application/json', '{"lines":["a","b"]}', 200],
    ['text/plain; charset=utf-8', 'a\nb', 200],
    ['application/json', '{"line":1}', 422],
    ['application/json', JSON.stringify({ lines: ['a'.repeat(1_000)] }), 413],
    ['text/html', 'a', 415],
  ])('%s %s: %d', async (type, raw, status) => {
    const answer = await post(raw, type);
    expect(answer.status).toBe(status);
    if (status === 200) expect(JSON.parse(answer.text)).toEqual({ lines: 2 });
  });

  test('says both in its description', () => {
    checkOperations([count]);
    const { paths } = describeOperations('lines', [count]) as { paths: Record<string, Record<string, object>> };
    const both = { 'application/json': expect.anything(), 'text/plain': { schema: { type: 'string' } } };
    expect(paths['/internal/lines']!['post']).toMatchObject({ requestBody: { required: true, content: both } });
  });
});

describe('an operation that streams', () => {
  const listen = operation({
    id: 'listenToNothing',
    method: 'GET',
    path: '/internal/news',
    area: 'news',
    summary: 'How the caller would listen',
    anonymous: true,
    streams: 'text/event-stream',
    status: 200,
    handle: async ({ streaming, waiting }: Call) => ({ body: { stays: streaming !== undefined, wait: waiting?.wait } }),
  });

  test.each([
    ['wait=5', 5_000],
    ['respond-async, wait=7', 7_000],
    ['wait=600', 30_000],
    ['wait=-1', 0],
    ['nonsense', 0],
  ])('RFC 7240 §4.3: knows how long a caller who wants one answer would wait: %s', async (prefer, wait) => {
    const served = await serving([listen]);
    const answer = await served.send('/internal/news', { headers: { prefer } });
    expect(JSON.parse(answer.text)).toEqual({ stays: false, wait });
    await served.close();
  });
});
