import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { listOf, listQuery, listReply, operation } from '../index.ts';
import { type Serving, serving } from '../testing/serving.ts';

const base = { area: 'courses', anonymous: true, method: 'GET', status: 200, summary: 'A test operation' } as const;
const item = z.object({ id: z.string() });

const operations = [
  operation({
    ...base,
    id: 'readThing',
    path: '/api/things/{thing}',
    params: z.object({ thing: z.string() }),
    reply: item,
    handle: async ({ params }) => ({
      body: { id: params.thing, extra: 'SECRET' },
      version: 3,
      observed: { lane: 0, position: 7 },
      headers: { 'CACHE-CONTROL': 'private, max-age=1' },
    }),
  }),
  operation({
    ...base,
    id: 'listThings',
    path: '/api/things',
    query: z.strictObject({ ...listQuery }),
    reply: listOf(item),
    handle: async () => listReply({ items: [{ id: 'é', body: {} }], more: true }, ({ id }) => ({ id })),
  }),
  operation({
    ...base,
    id: 'moveThing',
    path: '/api/former',
    handle: async () => ({ status: 308, headers: { Location: '/api/things/a' } }),
  }),
  operation({ ...base, id: 'emptyThing', path: '/api/empty', status: 204, handle: async () => ({}) }),
  operation({ ...base, id: 'breakThing', path: '/api/broken', reply: item, handle: async () => ({ body: { id: 7 } }) }),
  operation({
    ...base,
    id: 'readText',
    path: '/api/text',
    gives: 'text/plain',
    handle: async () => ({ body: 'text' }),
  }),
  operation({ ...base, id: 'splitHead', path: '/api/split', handle: async () => ({ headers: { 'X-A': 'a\r\nb' } }) }),
];

let service: Serving;
beforeAll(async () => {
  service = await serving(operations);
});
afterAll(() => service.close());

describe('a plain read', () => {
  test.each<readonly [string, Record<string, string>]>([
    ['/api/things/a', {}],
    ['/api/things/%C3%A9?', {}],
    ['/api/things/a', { 'if-none-match': '"3"' }],
    ['/api/things/a?x=1', {}],
    ['/api/things?limit=1', {}],
    ['/api/things?limit=0', {}],
    ['/api/former?x', {}],
    ['/api/empty', {}],
    ['/api/broken', {}],
    ['/api/text', {}],
    ['/api/nothing', {}],
    ['/api/things/', {}],
    ['/api/things/a', { authorization: 'Bearer nonsense' }],
    ['/api/things/a?access_token=x', {}],
    ['/api/things/a', { 'x-school-id': 'another' }],
  ])('answers as Koa does: %s %j', async (path, given) => {
    const headers = { 'x-request-id': 'req_1', ...given };
    const plain = await service.send(path, { headers });
    const weighed = await service.send(path, { headers: { ...headers, accept: 'text/html, application/json' } });
    expect([plain.status, plain.text]).toEqual([weighed.status, weighed.text]);
    expect({ ...plain.headers, date: '' }).toEqual({ ...weighed.headers, date: '' });
    const [ours, theirs] = service.lines.slice(-2);
    expect(ours).toEqual(theirs);
  });

  test('of a problem is a document for those who prefer one', async () => {
    const accept = 'application/problem+json';
    expect((await service.send('/api/nothing', { headers: { accept } })).headers['content-type']).toBe(accept);
  });

  test('with a head that cannot be written is a 500 that is logged, in the shape of every error', async () => {
    const { status, json } = await service.send('/api/split', { headers: { 'x-request-id': 'req_1' } });
    expect([status, json]).toMatchObject([500, { error: 'server_error', request_id: 'req_1' }]);
    expect(service.errors.at(-1)).toMatchObject({ service: 'test', request_id: 'req_1' });
  });
});
