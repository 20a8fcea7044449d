import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { schoolFrom } from '../../routing/school.ts';
import { methodsOf } from './call-cost.ts';
import { Protocol } from './protocol.ts';
import { schoolSurface } from '../school-server.ts';
import { Shortcut } from './shortcut.ts';
import { auth, catalog, school } from '../testing/catalog.ts';
import { type McpHouse, modernCall, openMcpHouse } from '../testing/mcp-test-server.ts';

const services = { auth, catalog, school };
const whole = schoolSurface({ secret: 'secret-of-this-test', document: () => undefined });
const { steady: _steady, read: _read, ...plain } = whole;

type Message = readonly [body: object, headers: Record<string, string>];

const modern = (method: string, params: object = {}): Message => modernCall(method, params, {}, undefined);
const legacy = (method: string, params: object = {}, version?: string): Message => [
  { jsonrpc: '2.0', id: 1, method, params },
  version === undefined ? {} : { 'mcp-protocol-version': version },
];
const under = ([body, headers]: Message, id: unknown): Message => [{ ...body, id }, headers];

const lists = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'ping', 'server/discover'];
const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
const calls = [
  { name: 'get_school', arguments: {} },
  { name: 'get_school' },
  { name: 'get_course', arguments: { id: 'course-1', include: ['offers'] } },
  { name: 'get_course', arguments: { id: 'nothing-here' } },
  { name: 'get_course', arguments: { nonsense: '"quoted" <é> \u2028' } },
  { name: 'search', arguments: { query: 'Course 1' } },
  { name: 'search_courses', arguments: { limit: 3, level: 'beginner' } },
  { name: 'list_events', arguments: {} },
  { name: 'get_my_account', arguments: {} },
  { name: 'publish_course', arguments: { id: 'course-1', idempotency_key: 'key-00000001' } },
  { name: 'drop_tables', arguments: {} },
  { name: 'get_school', arguments: [] },
  { name: 'get_school', arguments: null },
  { name: 'get_school', arguments: {}, unknown: true },
  { name: 7, arguments: {} },
];

/** What clients may say, well and badly put. */
const messages: readonly (readonly [string, Message])[] = [
  ...lists.flatMap((method) => [
    [`${method}, modern`, modern(method)] as const,
    [`${method}, 2025-11-25`, legacy(method, {}, '2025-11-25')] as const,
    [`${method}, without a revision`, legacy(method)] as const,
    [`${method}, of a revision that is not`, legacy(method, {}, '1999-01-01')] as const,
    [`${method}, with a cursor`, modern(method, { cursor: 'x' })] as const,
    [
      `${method}, legacy, with a progress token`,
      legacy(method, { _meta: { progressToken: 7 } }, '2025-11-25'),
    ] as const,
  ]),
  ...calls.flatMap((params) => [
    [`call ${JSON.stringify(params)}, modern`, modern('tools/call', params)] as const,
    [`call ${JSON.stringify(params)}, 2025-11-25`, legacy('tools/call', params, '2025-11-25')] as const,
  ]),
  ['initialize', legacy('initialize', initialize)],
  ['initialize, modern', modern('initialize', initialize)],
  ['initialize without params', legacy('initialize')],
  ['an id that is no whole number', under(modern('tools/list'), 1.5)],
  ['an id that is null', under(legacy('tools/list'), null)],
  ['an id that is no id', under(legacy('tools/list'), {})],
  ['another method in the header', [modern('tools/list')[0], modern('prompts/list')[1]]],
  ['a modern header without its envelope', [legacy('tools/list')[0], modern('tools/list')[1]]],
  ['no capabilities', [withMeta({ 'io.modelcontextprotocol/clientCapabilities': undefined }), modern('tools/list')[1]]],
  ['a client that is no client', [withMeta({ 'io.modelcontextprotocol/clientInfo': 7 }), modern('tools/list')[1]]],
  ['another JSON-RPC', [{ ...modern('tools/list')[0], jsonrpc: '1.0' }, modern('tools/list')[1]]],
  ['params that are a list', [{ ...legacy('tools/list')[0], params: [] }, {}]],
  ['no params', [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }, {}]],
];

function withMeta(change: object): object {
  const [body] = modern('tools/list') as unknown as [{ params: { _meta: object } }];
  return { ...body, params: { _meta: { ...body.params._meta, ...change } } };
}

describe('the shortcut past the SDK', () => {
  let house: McpHouse;
  beforeEach(async () => {
    house = await openMcpHouse(services, { limitFactor: 10 });
  });
  afterEach(() => house.close());

  test('answers byte for byte as the SDK does, in both eras, the first time and every other', async () => {
    const sdk = await openMcpHouse(services, { surface: plain, issuer: house.school.issuer, limitFactor: 10 });
    for (const [name, message] of messages)
      for (const id of [undefined, 'two "and" é']) {
        const [body, headers] = id === undefined ? message : under(message, id);
        const [ours, theirs] = [await house.post(body, headers), await sdk.post(body, headers)];
        const said = ({ status, text, headers: head }: typeof ours) => [name, status, text, head.get('content-type')];
        expect(said(ours)).toEqual(said(theirs));
      }
    await sdk.close();
  });

  test('a list that was asked for with a token is not the list of those who have none', async () => {
    const token = await house.school.token({ scopes: ['courses:read', 'courses:write'] });
    const count = async (as?: string) =>
      (await house.modern('tools/list', {}, as === undefined ? {} : { token: as })).body['result'].tools.length;
    expect([await count(), await count(token), await count(), await count(token)]).toEqual([11, 17, 11, 17]);
  });

  test('nothing reaches a service before the SDK has judged the words', async () => {
    const [body] = modern('tools/call', { name: 'get_school', arguments: {} });
    const refused = await house.post(body, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' });
    expect(refused.body['error'].code).toBe(-32020);
    expect(house.seen).toEqual([]);
  });

  test('the SDK is asked once for the same words, and about everything in other words', async () => {
    const protocol = new Protocol(whole, { debug: () => undefined });
    const asked: unknown[] = [];
    const shortcut = new Shortcut(whole, (headers, message, at, methods) => {
      asked.push(message);
      const { signal } = new AbortController();
      return protocol.answer({ headers, message, visit: at, called: methodsOf(message), gone: signal, methods });
    });
    const { issuer } = house.school;
    const known = schoolFrom({ id: 'school_1', name: 'A school', host: '127.0.0.1', base_url: issuer })!;
    const caller = {
      school: known,
      principal: undefined,
      token: undefined,
      authority: '',
      address: '',
      requestId: '',
      path: '/mcp',
    };
    const visit = { caller, api: () => Promise.reject(new Error('nobody needs the API for a list')) };
    const body = async (id: number, more: object = {}) => {
      const [message, headers] = under(modern('tools/list', more), id);
      return (await shortcut.answer(headers, message, visit))?.body.toString();
    };
    const first = await body(1);
    expect(await body(2)).toBe(first!.replace('"id":1}', '"id":2}'));
    expect(asked).toHaveLength(1);
    expect(await body(3, { cursor: 'x' })).toBeUndefined();
    expect(await body(4, { cursor: 'x' })).toBeUndefined();
    expect(asked).toHaveLength(3);
    await protocol.close();
  });

  test('a tool is called once for each request, also the first time', async () => {
    for (let count = 1; count <= 3; count += 1) {
      await house.modern('tools/call', { name: 'get_school', arguments: {} });
      expect(house.seen).toHaveLength(count);
    }
  });
});
