import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { auth, catalog, school } from '../testing/catalog.ts';
import { type McpTestServer, type Said, openMcpTestServer } from '../testing/mcp-test-server.ts';

const request = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });
const older = ['2025-11-25', '2025-06-18', '2025-03-26', undefined];
const named = (revision: string | undefined): Record<string, string> =>
  revision === undefined ? {} : { 'mcp-protocol-version': revision };

describe('clients of older revisions', () => {
  let edge: McpTestServer;
  beforeEach(async () => {
    edge = await openMcpTestServer({ auth, catalog, school });
  });
  afterEach(() => edge.close());

  test.each(older)('MCP 2025-11-25 resources: an unknown resource is -32002 for %s', async (revision) => {
    for (const uri of ['school://courses/nothing-here', 'school://nothing']) {
      const { status, body } = await edge.post(request(1, 'resources/read', { uri }), named(revision));
      expect([status, body['id'], body['error'].code, body['error'].data]).toEqual([200, 1, -32002, { uri }]);
    }
    const wrong = await edge.post(request(1, 'prompts/get', { name: 'nothing' }), named(revision));
    expect(wrong.body['error'].code).toBe(-32602);
  });

  test('MCP 2026-07-28 resources: an unknown resource is -32602', async () => {
    const { body } = await edge.modern('resources/read', { uri: 'school://courses/nothing-here' });
    expect(body['error'].code).toBe(-32602);
  });

  const answersIn = (text: string): Said[] =>
    [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data!) as Said);

  const batch = [
    request(1, 'ping'),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    request(2, 'tools/call', { name: 'get_school', arguments: {} }),
    request(3, 'resources/read', { uri: 'school://courses/nothing-here' }),
  ];
  const check = (answers: readonly Said[]): void => {
    expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2, 3]);
    const of = (id: number) => answers.find((each) => each['id'] === id)!;
    expect(of(1)['result']).toEqual({});
    expect(of(2)['result'].structuredContent.name).toBe('Lantern Craft School');
    expect(of(3)['error'].code).toBe(-32002);
  };

  test.each(['2025-03-26', undefined])(
    'MCP 2025-03-26 basic: a batch of a client that names the revision %s is answered message by message, and counted so',
    async (revision) => {
      const left = ({ headers }: { headers: Headers }) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
      const before = left(await edge.post(request(1, 'ping'), named(revision)));
      const streamed = await edge.post(batch, named(revision));
      expect([streamed.status, streamed.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
      check(answersIn(streamed.text));
      expect(left(streamed)).toBe(before - batch.length);
      const plain = await edge.post(batch, { ...named(revision), accept: 'application/json' });
      expect([plain.status, plain.headers.get('content-type')]).toEqual([200, 'application/json']);
      check(plain.body as unknown as Said[]);
    },
  );

  test.each(older)('Accept: application/json alone gets JSON, in %s too', async (revision) => {
    const calls = [request(1, 'tools/list'), request(2, 'tools/call', { name: 'search_courses', arguments: {} })];
    for (const call of calls)
      for (let round = 0; round < 2; round += 1) {
        const streamed = await edge.post(call, named(revision));
        expect(streamed.headers.get('content-type')).toBe('text/event-stream');
        const plain = await edge.post(call, { ...named(revision), accept: 'application/json' });
        expect(plain.headers.get('content-type')).toBe('application/json');
        expect(plain.body['id']).toBe(call.id);
        expect(plain.body['result']).toEqual(streamed.body['result']);
      }
  });
});
