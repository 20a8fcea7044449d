import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Channel, memoryChannel } from '@lyceum/channel';
import { memoryEphemeral } from '@lyceum/ephemeral';
import { type Upstream, serviceTokenHeader } from '@lyceum/internal-api';
import type { Started } from '@lyceum/service';
import { FakeClock, FakeIds, until } from '@lyceum/testkit';
import { setHeaders } from '@lyceum/web';
import { once } from 'node:events';
import { type RequestListener, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gateway } from '../module.ts';
import { type Answer, exchange } from '../testing/test-edge.ts';

const token = 'service-token-of-this-test-only-0001';
const badges = {
  tags: [{ name: 'badges' }],
  paths: { '/api/badges': { get: { operationId: 'listBadges', responses: { 200: { description: 'Badges' } } } } },
};

describe('a service that only the setting ROUTES names', () => {
  let channel: Channel;
  let started: Started;
  let errors: unknown[];
  const servers: Server[] = [];

  const listening = async (listener: RequestListener): Promise<number> => {
    const server = createServer(listener).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };

  const sibling = (name: string): Upstream => ({
    name,
    forward(_request, response, defaultHeaders = []) {
      setHeaders(response, defaultHeaders);
      response.end(name);
    },
    ask: () => Promise.reject(new Error('it has no operations')),
    describe: () => Promise.resolve({ paths: { [`/api/${name === 'school' ? 'school' : 'courses'}`]: {} } }),
  });

  /** Starts the gateway before a library in another process; resolves to a request by path. */
  const before = async (port: number): Promise<(path: string) => Promise<Answer>> => {
    const siblings = new Map(['school', 'catalog'].map((name) => [name, sibling(name)]));
    const clock = new FakeClock();
    const ports = {
      channel,
      clock,
      ids: new FakeIds(),
      cursorSecret: 'secret-of-this-test',
      ephemeral: memoryEphemeral(clock),
      logger: { debug: () => {}, info: () => {}, warn: () => {}, error: (line: unknown) => void errors.push(line) },
      settings: {
        TRUSTED_PROXIES: [],
        RATE_LIMIT_FACTOR: 1_000,
        CHANGES_DAYS: 30,
        ROUTES: ['/api/badges=library'],
      },
      peer: (name: string) => (name === 'library' ? { name, urls: [`http://127.0.0.1:${port}`], token } : undefined),
      upstream: (name: string) => siblings.get(name) ?? fail(name),
    };
    started = await gateway.start(ports as unknown as Parameters<typeof gateway.start>[0]);
    await started.ready?.(() => false);
    const own = await listening(started.app);
    // A service that is not there is asked for a second.
    return (path) => exchange(own, `GET ${path} HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n`, 10_000);
  };
  const fail = (name: string): never => {
    throw new Error(`there is no ${name}`);
  };

  const described = async (ask: (path: string) => Promise<Answer>): Promise<string[]> =>
    Object.keys(JSON.parse((await ask('/openapi.json')).text).paths);

  beforeEach(() => {
    channel = memoryChannel();
    errors = [];
    const profile = { currency: 'USD', locale: 'en', timezone: 'Europe/Lisbon' };
    const data = { slug: 'a', name: 'School', host: 'a.example', base_url: 'https://a.example', ...profile };
    const fact = { id: 'fact_1', type: 'SchoolProvisioned', schema: 1, subject: 'school_a', version: 1, data };
    const at = '2026-01-05T08:00:00.000Z';
    const message = { source: 'school', lane: 0, position: 1, previous: 0, tenant: 'school_a', at, facts: [fact] };
    channel.offer('school', 1, async (_lane, after) => (after < 1 ? [message] : []));
  });
  afterEach(async () => {
    await started.close();
    for (const server of servers.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
    await channel.close();
  });

  test('gets what is below its path, shown the service token, and joins /openapi.json', async () => {
    const seen: [string | undefined, unknown][] = [];
    const port = await listening((request, response) => {
      seen.push([request.url, request.headers[serviceTokenHeader]]);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(request.url === '/internal/openapi/library' ? badges : { data: [] }));
    });
    const ask = await before(port);
    const answer = await ask('/api/badges/badge_1?fields=id');
    expect([answer.status, answer.text]).toEqual([200, '{"data":[]}']);
    await until(async () => (await described(ask)).includes('/api/badges'), 'its description');
    expect(await described(ask)).toEqual(expect.arrayContaining(['/api/school', '/api/courses', '/openapi.json']));
    expect(seen.map(([url]) => url)).toEqual(
      expect.arrayContaining(['/internal/openapi/library', '/api/badges/badge_1?fields=id']),
    );
    expect(new Set(seen.map(([, shown]) => shown))).toEqual(new Set([token]));
    expect(errors).toEqual([]);
  }, 90_000);

  const endless: RequestListener = (_request, response) => {
    // Node.js 24 calls back at once where the connection is gone.
    const more = (gone?: Error | null) =>
      void (gone || response.destroyed || response.write('"x",'.repeat(16_384), (error) => setImmediate(more, error)));
    response.write('{"paths":{},"x-all":[');
    more();
  };
  test.each<[string, RequestListener, number | undefined]>([
    ['resets every connection', (request) => request.socket.destroy(), 503],
    ['never answers', () => undefined, undefined],
    ['answers without end', endless, undefined],
    ['answers with an error', (_request, response) => void response.writeHead(500).end('{}'), 500],
    ['describes nothing that can be read', (_request, response) => void response.end('<html>'), 200],
    [
      'describes what is not its own',
      (_request, response) => void response.end('{"paths":{"/api/courses":{},"/oauth/token":{}}}'),
      200,
    ],
    ['describes itself by a list', (_request, response) => void response.end('[[[[]]]]'), 200],
    ['describes more than is read', (_request, response) => void response.end(`"${'x'.repeat(3 * 1024 * 1024)}"`), 200],
  ])(
    'that %s harms nobody else',
    async (_, listener, status) => {
      const asked: (string | undefined)[] = [];
      const port = await listening((request, response) => {
        asked.push(request.url);
        listener(request, response);
      });
      const ask = await before(port);
      await until(() => asked.length > 0, 'a question to the service');
      if (status !== undefined) expect((await ask('/api/badges')).status).toBe(status);
      const others = await Promise.all(['/api/school', '/api/courses', '/.well-known/openid-configuration'].map(ask));
      expect(others.map((each) => each.status)).toEqual([200, 200, 200]);
      const paths = await described(ask);
      expect(paths).toEqual(expect.arrayContaining(['/api/school', '/api/courses', '/openapi.json']));
      expect(paths.filter((path) => path === '/api/badges' || path === '/oauth/token')).toEqual([]);
    },
    90_000,
  );

  test('that is nowhere costs its own paths a 503, and nothing else', async () => {
    const port = await listening(() => undefined);
    servers[0]!.close();
    await once(servers[0]!, 'close');
    const ask = await before(port);
    const missing = await ask('/api/badges');
    expect([missing.status, missing.headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect((await ask('/api/school')).status).toBe(200);
    expect(await described(ask)).not.toContain('/api/badges');
  }, 90_000);
});
