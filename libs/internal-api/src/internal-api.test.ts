import { afterEach, describe, expect, test } from '@jest/globals';
import type { History, Message } from '@lyceum/channel';
import type { IncomingMessage } from 'node:http';
import { factsOverHttp } from './integration-events/history-client.ts';
import { type Listener, listen } from '@lyceum/testkit';
import { behind, internalApi } from './internal-api.ts';
import { serviceTokenHeader } from './service-token.ts';

const token = 'service-token-of-this-test';
const message = (lane: number, position: number): Message => ({
  source: 'school',
  lane,
  position,
  previous: position - 1,
  tenant: 'school_1',
  at: '2026-01-05T08:00:00.000Z',
  facts: [{ id: `f${position}`, type: 'T', schema: 1, subject: 's', version: position, data: { lane } }],
});

describe('the door between processes', () => {
  const listeners: Listener[] = [];
  afterEach(async () => {
    for (const each of listeners.splice(0)) await each.close();
  });

  const asked = { heads: 0 };
  const historyIn = (incarnation: string): History => ({
    lanes: 3,
    async backfill(lane, after, limit) {
      return [1, 2, 3, 4]
        .map((position) => message(lane, position))
        .filter((each) => each.position > after)
        .slice(0, limit);
    },
    heads: async () => ((asked.heads += 1), { heads: [10, 11, 12], epoch: incarnation }),
  });
  const askedBy: string[] = [];
  const readers = [
    { name: 'warehouse', token: 'history-token-of-the-warehouse-team' },
    { name: 'newsletter', token: 'history-token-of-the-newsletter-team' },
  ];
  async function open({
    isEdge = false,
    offered = true,
    incarnation = 'first',
    given = token as string | undefined,
  } = {}) {
    const history = historyIn(incarnation);
    const seen: IncomingMessage['headers'][] = [];
    const door = internalApi({
      token: given,
      readers,
      onReader: (name) => void askedBy.push(name),
      isEdge,
      requestId: () => 'req_1',
      report: () => undefined,
      history: (source) => (offered && source === 'school' ? history : undefined),
      openapi: (service) => (service === 'school' ? { paths: { '/api/school': {} } } : undefined),
    });
    const app = behind(door, (request, response) => {
      seen.push(request.headers);
      response.end('application');
    });
    const listener = await listen(app);
    listeners.push(listener);
    return { url: `http://127.0.0.1:${listener.port}`, seen };
  }
  const as = (given: string) => ({ headers: { 'x-service-token': given, 'x-school-id': 'school_1' } });

  test.each([
    ['no token', {}],
    ['a wrong token', as('wrong')],
    ['a longer token', as(`${token}x`)],
    ['an empty token', as('')],
  ])('a service refuses a request with %s, whatever it asks for', async (_, init) => {
    const { url, seen } = await open();
    for (const path of ['/api/school', '/internal/facts/school/heads', '/internal/openapi/school']) {
      const refused = await fetch(url + path, init);
      expect([refused.status, await refused.json()]).toEqual([
        403,
        expect.objectContaining({ error: 'access_denied', request_id: 'req_1' }),
      ]);
    }
    expect(seen).toEqual([]);
  });

  test('with the token the application is reached, and never sees the token', async () => {
    const { url, seen } = await open();
    expect(await (await fetch(`${url}/api/school`, as(token))).text()).toBe('application');
    expect(seen[0]).toMatchObject({ 'x-school-id': 'school_1' });
    expect(JSON.stringify(seen)).not.toContain(token);
  });

  test('the edge lets visitors through to its application, for them there are no facts', async () => {
    const { url } = await open({ isEdge: true });
    expect(await (await fetch(`${url}/internal/facts/school/heads`)).text()).toBe('application');
    expect((await fetch(`${url}/internal/facts/school/heads`, as(token))).status).toBe(200);
  });

  describe.each([
    ['a service', { isEdge: false }],
    ['the edge', { isEdge: true }],
    ['the edge of a whole process, which has no service token', { isEdge: true, given: undefined }],
  ])('a history token, shown to %s,', (_, options) => {
    test.each(readers)('reads histories: $name', async ({ name, token: shown }) => {
      const { url } = await open(options);
      askedBy.length = 0;
      expect(await (await fetch(`${url}/internal/facts/school/heads`, as(shown))).json()).toMatchObject({ lanes: 3 });
      const page = await fetch(`${url}/internal/facts/school/1?after=2&limit=1`, as(shown));
      expect(await page.json()).toMatchObject({ messages: [message(1, 3)], incarnation: 'first' });
      expect(askedBy).toEqual([name, name]);
    });

    test.each([
      ['GET', '/internal/openapi/school'],
      ['GET', '/internal/facts'],
      ['GET', '/internal/facts/school'],
      ['GET', '/internal/facts/school/heads/more'],
      ['GET', '/internal/ask/school'],
      ['POST', '/internal/ask/school'],
      ['POST', '/internal/facts/school/heads'],
      ['DELETE', '/internal/facts/school/1'],
      ['HEAD', '/internal/facts/school/heads'],
      ['GET', '/internal/'],
      ['GET', '/api/school'],
      ['POST', '/oauth/token'],
      ['GET', '/'],
    ])('does nothing else: %s %s', async (method, path) => {
      const { url, seen } = await open(options);
      askedBy.length = 0;
      for (const { token: shown } of readers) {
        const refused = await fetch(url + path, { method, ...as(shown) });
        expect(refused.status).toBe(403);
        if (method !== 'HEAD') expect(await refused.json()).toMatchObject({ error: 'access_denied' });
      }
      expect([seen, askedBy]).toEqual([[], []]);
    });

    test.each(['', 'wrong', `${readers[0]!.token}x`, readers[0]!.token.slice(1), 'warehouse'])(
      'is not %j',
      async (shown) => {
        const { url } = await open(options);
        const answer = await fetch(`${url}/internal/facts/school/heads`, as(shown));
        if (options.isEdge) expect(await answer.text()).toBe('application');
        else expect(answer.status).toBe(403);
      },
    );
  });

  test('facts, heads and the description are given; what has not started yet is 503, what is not asked well is 400', async () => {
    const { url } = await open();
    const status = async (path: string) => (await fetch(url + path, as(token))).status;
    expect(await (await fetch(`${url}/internal/openapi/school`, as(token))).json()).toEqual({
      paths: { '/api/school': {} },
    });
    expect(await status('/internal/facts/catalog/heads')).toBe(503);
    for (const path of ['3', '-1', 'x', '1?after=x', '1?limit=0'])
      expect(await status(`/internal/facts/school/${path}`)).toBe(400);
    expect(await status('/internal/schools')).toBe(404);
  });

  test('another process reads lanes, heads and messages through it; the next instance answers for one that is gone', async () => {
    const { url } = await open();
    const far = await factsOverHttp({ name: 'school', urls: ['http://127.0.0.1:1', url], token });
    expect(far.lanes).toBe(3);
    expect(await far.backfill(1, 2, 10)).toEqual([message(1, 3), message(1, 4)]);
    asked.heads = 0;
    const ends = { heads: [10, 11, 12], epoch: 'first' };
    expect(await Promise.all([far.heads!(), far.heads!()])).toMatchObject([ends, ends]);
    expect(asked.heads).toBe(1);
    const raw = await fetch(`${url}/internal/facts/school/heads`, { headers: { [serviceTokenHeader]: token } });
    expect(await raw.json()).toEqual({ lanes: 3, heads: [10, 11, 12], incarnation: 'first' });
    await expect(factsOverHttp({ name: 'catalog', urls: [url], token })).rejects.toThrow('catalog');
    await expect(factsOverHttp({ name: 'school', urls: [url], token: 'wrong' })).rejects.toThrow('school');
  });

  test('C17: messages of another life of the log are not given out as those of the life before', async () => {
    const [before, after] = [await open(), await open({ incarnation: 'second' })];
    const urls = [before.url];
    const far = await factsOverHttp({ name: 'school', urls, token });
    urls[0] = after.url;
    await expect(far.backfill(1, 2, 10)).rejects.toThrow('restored or replaced');
    expect(await far.heads!()).toMatchObject({ epoch: 'second' });
    expect(await far.backfill(1, 2, 10)).toHaveLength(2);
  });
});
