import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { listOf, listQuery, listReply, mount, operation } from '../index.ts';
import { type Serving, serving } from '../testing/serving.ts';

const base = { area: 'courses', scope: 'courses:read', anonymous: true, method: 'GET', status: 200 } as const;
const note = z.string().optional().meta({ sees: 'staff' });
const item = z.object({ id: z.string(), note });

const operations = [
  operation({
    ...base,
    id: 'readThing',
    path: '/api/things/{thing}',
    summary: 'A test operation',
    params: z.object({ thing: z.string().regex(/^[a-z ]+$/) }),
    reply: item,
    handle: async ({ params }) => ({
      body: { id: params.thing, note: 'SECRET', extra: 'SECRET' },
      version: 3,
      observed: { lane: 0, position: 7 },
    }),
  }),
  operation({
    ...base,
    id: 'listThings',
    path: '/api/things',
    summary: 'A test operation',
    query: z.strictObject({ ...listQuery }),
    reply: listOf(item),
    handle: async () => listReply({ items: [{ id: 'a', body: { note: 'SECRET' } }], more: true }, ({ id }) => ({ id })),
  }),
  operation({
    ...base,
    id: 'moveThing',
    path: '/api/former',
    summary: 'A test operation',
    reply: item,
    handle: async () => ({ status: 308, headers: { Location: '/api/things/a' } }),
  }),
  operation({
    ...base,
    id: 'breakThing',
    path: '/api/broken',
    summary: 'A test operation',
    reply: item,
    handle: async () => ({ body: { id: 42 } }),
  }),
  operation({
    ...base,
    id: 'readText',
    path: '/api/text',
    summary: 'A test operation',
    gives: 'text/plain',
    handle: async () => ({ body: 'text' }),
  }),
  operation({
    ...base,
    id: 'writeThing',
    path: '/api/closed',
    summary: 'A test operation',
    method: 'POST',
    scope: 'courses:write',
    anonymous: false,
    handle: async () => ({ body: {} }),
  }),
];

const cursorSecret = 'secret of this test';
let service: Serving;
let inside: ReturnType<typeof mount>;
const lines: Record<string, unknown>[] = [];
beforeAll(async () => {
  service = await serving(operations, { cursorSecret });
  const logger = { info: (line: object) => void lines.push({ ...line }), error: () => undefined };
  const { trust } = service.school;
  inside = mount({ service: 'test', operations, ports: service.ports, trust, logger, cursorSecret });
});
afterAll(() => service.close());

/** What is asked for both ways, and by whom. */
const asked: readonly (readonly [string, Record<string, string>])[] = [
  ['/api/things/a', {}],
  ['/api/things/a%20b', {}],
  ['/api/things/a', { 'if-none-match': '"3"' }],
  ['/api/things/a?x=1', {}],
  ['/api/things/A', {}],
  ['/api/things?limit=1', {}],
  ['/api/things?limit=0', {}],
  ['/api/things?limit=1&limit=2', {}],
  ['/api/things?cursor=nonsense', {}],
  ['/api/former?x', {}],
  ['/api/former', {}],
  ['/api/broken', {}],
  ['/api/closed', {}],
  ['/api/nothing', {}],
  ['/api/things/', {}],
  ['/api/things/a', { authorization: 'Bearer nonsense' }],
  ['/api/things/a?access_token=x', {}],
  ['/api/things/a', { 'x-school-id': 'another' }],
  ['/api/things/a', { 'consistency-token': 'nonsense' }],
];

describe('an operation that is asked from inside the process', () => {
  const ask = (path: string, headers: Readonly<Record<string, string>>) => {
    const [before, querystring = ''] = path.split('?', 2) as [string, string?];
    const known = { 'x-school-id': service.school.id, 'x-request-id': 'req_1', accept: 'application/json' };
    return inside.ask({ path: before, querystring, headers: { ...known, ...headers } });
  };

  test.each(asked)('answers as it does over a connection: %s %j', async (path, headers) => {
    const wire = await service.send(path, { headers: { 'x-request-id': 'req_1', ...headers } });
    const inner = (await ask(path, headers))!;
    expect([inner.status, inner.body]).toEqual([wire.status, wire.json]);
    for (const name of ['etag', 'location', 'link', 'consistency-token', 'www-authenticate', 'cache-control'])
      expect([name, inner.headers[name]]).toEqual([name, wire.headers[name]]);
    const line = { service: 'test', method: 'GET', status: wire.status, request_id: 'req_1' };
    expect(lines.at(-1)).toMatchObject(line);
    expect({ ...lines.at(-1), duration_ms: 0 }).toEqual({ ...service.lines.at(-1), duration_ms: 0 });
  });

  test('shows each caller what they may see', async () => {
    const seen = async (role: 'owner' | 'member') =>
      (await ask('/api/things/a', { authorization: `Bearer ${await service.school.token({ role })}` }))!.body;
    expect(await seen('owner')).toEqual({ view: 'staff', id: 'a', note: 'SECRET' });
    expect(await seen('member')).toEqual({ view: 'member', id: 'a' });
  });

  test('is read over a connection where its answer is no value', async () => {
    expect(await ask('/api/text', {})).toBeUndefined();
  });
});
