import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { ConcurrencyConflict } from '@lyceum/eventlog';
import { type Call, listOf, listQuery, listReply, mount, operation } from '../index.ts';
import { type Serving, serving } from '../testing/serving.ts';

const base = { area: 'courses', scope: 'courses:read', anonymous: true, method: 'GET', status: 200 } as const;
const note = z.string().optional().meta({ sees: 'staff' });
const write = {
  area: 'courses',
  scope: 'courses:write',
  anonymous: false,
  method: 'POST',
  status: 200,
  summary: 'A test operation',
} as const;
const thing = z.strictObject({ title: z.string().min(1) });
const calls: Call[] = [];
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
  operation({
    ...write,
    id: 'createThing',
    path: '/api/things',
    status: 201,
    body: thing,
    handle: async (call) => {
      calls.push(call as Call);
      return { body: call.body, version: 1 };
    },
  }),
  operation({
    ...write,
    id: 'changeThing',
    method: 'PATCH',
    path: '/api/things/{thing}',
    params: z.object({ thing: z.string() }),
    body: thing,
    ifMatch: 'required',
    handle: async (call) => {
      calls.push(call as Call);
      if (!call.expected?.includes(4)) throw new ConcurrencyConflict('thing-a', 4, 5);
      return { body: call.body, version: 5 };
    },
  }),
  operation({
    ...write,
    id: 'removeThing',
    method: 'DELETE',
    path: '/api/things/{thing}',
    params: z.object({ thing: z.string() }),
    ifMatch: 'required',
    status: 204,
    handle: async () => ({}),
  }),
  operation({
    ...write,
    id: 'writeSlowly',
    path: '/api/slow',
    status: 201,
    handle: () => new Promise((resolve) => setTimeout(() => resolve({}), 20)),
  }),
  operation({
    ...write,
    id: 'throwThing',
    path: '/api/throwing',
    handle: () => Promise.reject(new Error('planted secret')),
  }),
  operation({ ...write, id: 'takeFile', path: '/api/file', takes: 'text/plain', handle: async () => ({}) }),
  operation({
    ...base,
    id: 'streamThings',
    path: '/api/stream',
    summary: 'A test operation',
    streams: 'text/event-stream',
    handle: async () => ({ body: {} }),
  }),
];

const cursorSecret = 'secret of this test';
const bodyLimit = 64 * 1024;
let service: Serving;
let inside: ReturnType<typeof mount>;
const lines: Record<string, unknown>[] = [];
beforeAll(async () => {
  service = await serving(operations, { cursorSecret, bodyLimit });
  const logger = { info: (line: object) => void lines.push({ ...line }), error: () => undefined };
  const { trust } = service.school;
  inside = mount({ service: 'test', operations, ports: service.ports, trust, logger, cursorSecret, bodyLimit });
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

/** What is written both ways by a signed-in owner. */
const written: readonly (readonly [string, string, Record<string, string>, unknown])[] = [
  ['POST', '/api/things', {}, { title: 'A' }],
  ['POST', '/api/things', {}, { title: '' }],
  ['POST', '/api/things', {}, { title: 'A', more: 1 }],
  ['POST', '/api/things', {}, undefined],
  ['POST', '/api/things', {}, 'text'],
  ['POST', '/api/things', {}, { title: 'x'.repeat(70_000) }],
  ['POST', '/api/things', { 'idempotency-key': 'a b c' }, { title: 'A' }],
  ['POST', '/api/closed', {}, { more: 1 }],
  ['PATCH', '/api/things/a', { 'if-match': '"4"' }, { title: 'A' }],
  ['PATCH', '/api/things/a', { 'if-match': '"5"' }, { title: 'A' }],
  ['PATCH', '/api/things/a', { 'if-match': 'nonsense' }, { title: 'A' }],
  ['PATCH', '/api/things/a', {}, { title: 'A' }],
  ['DELETE', '/api/things/a', { 'if-match': '*' }, undefined],
  ['DELETE', '/api/things', {}, undefined],
  ['POST', '/api/throwing', {}, {}],
  ['PUT', '/api/nothing', {}, {}],
];

describe('an operation that is called from inside the process', () => {
  const ask = (path: string, headers: Readonly<Record<string, string>>, method = 'GET', json?: unknown) => {
    const [before, querystring = ''] = path.split('?', 2) as [string, string?];
    const known = { 'x-school-id': service.school.id, 'x-request-id': 'req_1', accept: 'application/json' };
    return inside.ask({ method, path: before, querystring, headers: { ...known, ...headers }, json });
  };

  test.each(asked)('answers as it does over a connection: %s %j', async (path, headers) => {
    const wire = await service.send(path, { headers: { 'x-request-id': 'req_1', ...headers } });
    const local = await ask(path, headers);
    expect([local.status, local.body]).toEqual([wire.status, wire.json]);
    for (const name of ['etag', 'location', 'link', 'consistency-token', 'www-authenticate', 'cache-control'])
      expect([name, local.headers[name]]).toEqual([name, wire.headers[name]]);
    const line = { service: 'test', method: 'GET', status: wire.status, request_id: 'req_1' };
    expect(lines.at(-1)).toMatchObject(line);
    expect({ ...lines.at(-1), duration_ms: 0 }).toEqual({ ...service.lines.at(-1), duration_ms: 0 });
  });

  test('shows each caller what they may see', async () => {
    const seen = async (role: 'owner' | 'member') =>
      (await ask('/api/things/a', { authorization: `Bearer ${await service.school.token({ role })}` })).body;
    expect(await seen('owner')).toEqual({ view: 'staff', id: 'a', note: 'SECRET' });
    expect(await seen('member')).toEqual({ view: 'member', id: 'a' });
  });

  test.each(written)('takes a body as it does over a connection: %s %s %j %j', async (method, path, headers, body) => {
    const authorization = `Bearer ${await service.school.token()}`;
    const all = { 'x-request-id': 'req_1', authorization, ...headers };
    const wire = await service.send(path, { method, headers: all, ...(body === undefined ? {} : { body }) });
    const local = await ask(path, { ...headers, authorization: all.authorization }, method, body);
    expect([local.status, local.body]).toEqual([wire.status, wire.json]);
    for (const name of ['etag', 'retry-after', 'allow', 'cache-control'])
      expect([name, local.headers[name]]).toEqual([name, wire.headers[name]]);
    expect({ ...lines.at(-1), duration_ms: 0 }).toEqual({ ...service.lines.at(-1), duration_ms: 0 });
  });

  test('hands on the body, the expected version and a commit id that follows from the Idempotency-Key', async () => {
    const authorization = `Bearer ${await service.school.token()}`;
    const headers = { authorization, 'idempotency-key': '"key-1"', 'if-match': '"4"' };
    const change = () => ask('/api/things/a', headers, 'PATCH', { title: 'Töpfern', left: undefined });
    expect([(await change()).status, (await change()).status]).toEqual([200, 200]);
    const [first, again] = calls.slice(-2);
    expect(first).toMatchObject({ body: { title: 'Töpfern' }, expected: [4], params: { thing: 'a' } });
    expect(again!.commit).toEqual(first!.commit);
    await service.send('/api/things/a', { method: 'PATCH', headers, body: { title: 'Töpfern' } });
    expect(calls.at(-1)!.commit).toEqual(first!.commit);
  });

  test('with a key that another request holds is 409, as over a connection', async () => {
    const authorization = `Bearer ${await service.school.token()}`;
    const headers = { authorization, 'idempotency-key': '"key-2"' };
    const [first, second] = await Promise.all([
      ask('/api/slow', headers, 'POST', {}),
      ask('/api/slow', headers, 'POST', {}),
    ]);
    expect([first.status, second.status].toSorted()).toEqual([201, 409]);
    expect([first, second].find(({ status }) => status === 409)!.body).toMatchObject({
      error: 'idempotency_in_progress',
    });
  });

  test('is called over a connection where it takes or gives anything else than JSON', async () => {
    await expect(ask('/api/text', {})).rejects.toThrow('readText');
    await expect(ask('/api/stream', {})).rejects.toThrow('streamThings');
    await expect(ask('/api/file', {}, 'POST')).rejects.toThrow('takeFile');
  });
});
