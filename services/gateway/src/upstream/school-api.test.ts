import { describe, expect, test } from '@jest/globals';
import type { InnerAnswer, InnerQuestion } from '@lyceum/web';
import { schoolFrom } from '../routing/school.ts';
import { type ServiceClient, apiOf, oneByOne } from './school-api.ts';

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

/** A service that is asked, and one that is sent requests, with what reached either. */
function doors(ask?: (question: InnerQuestion) => Promise<InnerAnswer | undefined>) {
  const seen: unknown[] = [];
  const door: ServiceClient = {
    ...(ask
      ? {
          ask: (question) => {
            seen.push(question);
            return ask(question);
          },
        }
      : {}),
    forward: (request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      response.writeHead(201, { ETag: '"2"', 'content-type': 'application/json' }).end('{"from":"forward"}');
    },
  };
  return { seen, api: apiOf(() => door, caller) };
}

const answered = async (): Promise<InnerAnswer> => ({ status: 200, body: { from: 'ask' }, headers: { etag: '"1"' } });

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

  test('a service of this process is asked, with the caller’s token and where it was shown', async () => {
    const { seen, api } = doors(answered);
    const reply = await api('/api/courses', { query: { q: 'a b', limit: 2, cursor: undefined } });
    expect([reply.status, reply.body, reply.header('etag')]).toEqual([200, { from: 'ask' }, '"1"']);
    expect(seen).toEqual([
      {
        path: '/api/courses',
        querystring: 'q=a+b&limit=2',
        headers: {
          host: 'a.test',
          accept: 'application/json',
          authorization: 'Bearer abc',
          'x-school-id': 'school_1',
          'x-client-address': expect.any(String),
          'x-request-id': 'req_1',
          'x-school-token-path': '/mcp',
        },
      },
    ]);
  });

  test('what writes, and what cannot be asked, is a request', async () => {
    const { seen, api } = doors(answered);
    const written = await api('/api/courses', { method: 'POST', json: {} });
    expect([written.status, written.body, written.header('etag')]).toEqual([201, { from: 'forward' }, '"2"']);
    for (const { api: other } of [doors(), doors(async () => undefined)])
      expect((await other('/api/courses')).body).toEqual({ from: 'forward' });
    expect(seen).toEqual(['POST /api/courses Bearer abc']);
  });

  test('a service that fails is 503, one that nobody owns 404', async () => {
    const { api } = doors(() => Promise.reject(new Error('planned failure')));
    expect((await api('/api/courses')).status).toBe(503);
    expect((await api('/nothing')).status).toBe(404);
    const none = apiOf(() => {
      throw new Error('nobody knows it');
    }, caller);
    expect((await none('/api/courses')).status).toBe(503);
  });
});
