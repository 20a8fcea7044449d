import { describe, expect, test } from '@jest/globals';
import type { OperationRequest, OperationResponse } from '@lyceum/web';
import { schoolFrom } from '../routing/school.ts';
import { apiOf, oneByOne } from './school-api.ts';

const school = schoolFrom({ id: 'school_1', name: 'A school', host: 'a.test', base_url: 'http://a.test' })!;
const caller = {
  school,
  principal: undefined,
  token: 'abc',
  authority: 'a.test',
  address: '192.0.2.7',
  requestId: 'req_1',
  path: '/mcp',
};

/** A service that answers all requests alike, with the requests that reached it. */
function answering(ask: () => Promise<OperationResponse>) {
  const seen: OperationRequest[] = [];
  const client = {
    ask: (request: OperationRequest) => {
      seen.push(request);
      return ask();
    },
  };
  return { seen, api: apiOf(() => client, caller) };
}

const answered = async (): Promise<OperationResponse> => ({
  status: 200,
  body: { from: 'ask' },
  headers: { etag: '"1"' },
});

describe('the API as a caller of the MCP server sees it', () => {
  test('S10: what a batch asks is asked one by one, and others are heard in between', async () => {
    const order: string[] = [];
    const api = oneByOne(async () => {
      order.push('asked');
      return { status: 200, body: {}, header: () => undefined };
    });
    const all = Promise.all(Array.from({ length: 20 }, () => api('/api/courses')));
    let isOver = false;
    const others = (): void => void (isOver || (order.push('others'), setImmediate(others)));
    setImmediate(others);
    expect(await all).toHaveLength(20);
    isOver = true;
    expect(order.join(' ')).not.toContain('asked asked');
    expect(order.filter((each) => each === 'asked')).toHaveLength(20);
  });

  test('S10: a question of a batch that fails keeps none of the others back', async () => {
    let asked = 0;
    const api = oneByOne(async () => {
      asked += 1;
      if (asked === 1) throw new Error('planned failure');
      return { status: 200, body: {}, header: () => undefined };
    });
    const [first, second] = await Promise.allSettled([api('/api/courses'), api('/api/courses')]);
    expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
  });

  const sent = {
    host: 'a.test',
    accept: 'application/json',
    authorization: 'Bearer abc',
    'x-school-id': 'school_1',
    'x-client-address': expect.any(String),
    'x-request-id': 'req_1',
    'x-school-token-path': '/mcp',
  };

  test('a service is asked with the caller’s token and where it was shown', async () => {
    const { seen, api } = answering(answered);
    const reply = await api('/api/courses', { query: { q: 'a b', limit: 2, cursor: undefined } });
    expect([reply.status, reply.body, reply.header('etag')]).toEqual([200, { from: 'ask' }, '"1"']);
    expect(seen).toEqual([{ method: 'GET', path: '/api/courses', querystring: 'q=a+b&limit=2', headers: sent }]);
  });

  test('what writes carries its body and its headers', async () => {
    const { seen, api } = answering(answered);
    await api('/api/courses', { method: 'POST', json: { title: 'A' }, headers: { 'idempotency-key': '"key"' } });
    const headers = { ...sent, 'idempotency-key': '"key"' };
    expect(seen).toEqual([{ method: 'POST', path: '/api/courses', querystring: '', headers, json: { title: 'A' } }]);
  });

  test('a service that fails is 503, one that nobody owns 404', async () => {
    const { api } = answering(() => Promise.reject(new Error('planned failure')));
    expect((await api('/api/courses')).status).toBe(503);
    expect((await api('/nothing')).status).toBe(404);
    const none = apiOf(() => {
      throw new Error('nobody knows it');
    }, caller);
    expect((await none('/api/courses')).status).toBe(503);
  });
});
