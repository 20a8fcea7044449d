import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { setHeaders } from '@lyceum/web';
import { type Channel, type Message, memoryChannel } from '@lyceum/channel';
import { type Ephemeral, memoryEphemeral } from '@lyceum/ephemeral';
import type { IsAway, Upstream } from '@lyceum/internal-api';
import type { Started } from '@lyceum/service';
import { FakeClock, FakeIds, until } from '@lyceum/testkit';
import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gateway } from './module.ts';
import { type Answer, exchange } from './testing/test-edge.ts';

const profile = { currency: 'USD', locale: 'en', timezone: 'Europe/Lisbon' };
const provisioned = (slug: string, base_url: string) => ({
  type: 'SchoolProvisioned',
  data: { slug, name: `School ${slug}`, host: new URL(base_url).hostname, base_url, ...profile },
});

describe('the gateway module', () => {
  let channel: Channel;
  let history: Message[];
  let errors: unknown[];
  let services: Map<string, Upstream>;
  let started: Started;
  let server: Server;
  let offer: () => void;
  let ephemeral: Ephemeral;
  let clock: FakeClock;

  const tell = (tenant: string, type: string, data: unknown): Message => {
    const position = history.length + 1;
    const fact = { id: `fact_${position}`, type, schema: 1, subject: tenant, version: position, data };
    const message = {
      source: 'school',
      lane: 0,
      position,
      previous: position - 1,
      tenant,
      at: '2026-01-05T08:00:00.000Z',
      facts: [fact],
    };
    history.push(message);
    return message;
  };

  const upstream = (name: string, paths: object = {}): Upstream => ({
    name,
    forward(_request, response, defaultHeaders = []) {
      setHeaders(response, defaultHeaders);
      response.end(name);
    },
    ask: () => Promise.reject(new Error('it has no operations')),
    describe: () => Promise.resolve({ paths }),
  });

  const start = async (isAway: IsAway = () => false): Promise<void> => {
    if (services.has('school') && !isAway('school')) offer();
    const ports = {
      channel,
      clock,
      ids: new FakeIds(),
      cursorSecret: 'secret-of-this-test',
      ephemeral,
      logger: { debug: () => {}, info: () => {}, warn: () => {}, error: (line: unknown) => void errors.push(line) },
      settings: { DOCS_URL: 'https://docs.example/', TRUSTED_PROXIES: [], RATE_LIMIT_FACTOR: 1, CHANGES_DAYS: 30 },
      upstream: (name: string) => {
        const known = services.get(name);
        if (!known) throw new Error(`nobody knows ${name}`);
        return known;
      },
    };
    started = await gateway.start(ports as unknown as Parameters<typeof gateway.start>[0]);
    await started.ready?.(isAway);
    server = createServer(started.app).listen(0, '127.0.0.1');
    await once(server, 'listening');
  };

  const get = (host: string, path: string): Promise<Answer> =>
    exchange(
      (server.address() as AddressInfo).port,
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );

  beforeEach(() => {
    channel = memoryChannel();
    history = [];
    errors = [];
    clock = new FakeClock();
    ephemeral = memoryEphemeral(clock);
    services = new Map(['auth', 'catalog', 'school'].map((name) => [name, upstream(name)]));
    offer = () =>
      channel.offer('school', 1, (_lane, after, limit) =>
        Promise.resolve(history.filter(({ position }) => position > after).slice(0, limit)),
      );
  });
  afterEach(async () => {
    await started.close();
    server?.close();
    server?.closeAllConnections();
    await channel.close();
  });

  test('is ready when it knows every school of the history', async () => {
    for (const slug of ['a', 'b', 'c']) {
      const { type, data } = provisioned(slug, `https://${slug}.example`);
      tell(`school_${slug}`, type, data);
    }
    await start();
    for (const slug of ['a', 'b', 'c']) expect((await get(`${slug}.example`, '/api/courses')).status).toBe(200);
  });

  test('RFC 9110 §10.2.3: is ready while the school service is away: no host is nobody’s before that has told of schools', async () => {
    const { type, data } = provisioned('a', 'https://a.example');
    tell('school_a', type, data);
    await start((service) => service === 'school');
    const early = await get('a.example', '/api/courses');
    expect([early.status, early.headers['retry-after'], early.text]).toEqual([
      503,
      '5',
      expect.stringContaining('the school service is awaited'),
    ]);
    offer();
    await until(async () => (await get('a.example', '/api/courses')).status === 200);
    await until(async () => (await get('nobody.example', '/api/courses')).status === 404);
  });

  test('is started while the school service is away: hosts answer as they were kept, for an hour, until that tells of schools', async () => {
    ephemeral = { ...ephemeral, isShared: true };
    for (const slug of ['a', 'b']) {
      const { type, data } = provisioned(slug, `https://${slug}.example`);
      tell(`school_${slug}`, type, data);
    }
    tell('school_a', 'DomainVerified', { domain: 'academy.example' });
    const restart = async (isAway: boolean): Promise<void> => {
      await started.close();
      server.close();
      await channel.close();
      channel = memoryChannel();
      await start((service) => isAway && service === 'school');
    };
    const statusOf = async (host: string): Promise<number> => (await get(host, '/api/courses')).status;
    await start();
    await channel.publish([tell('school_b', 'SchoolMoved', { host: 'c.example', base_url: 'https://c.example' })]);
    await until(async () => (await statusOf('c.example')) === 200);
    // Changes of a moment are kept together.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await restart(true);
    const hosts = ['a.example', 'academy.example', 'b.example', 'c.example', 'nobody.example'];
    expect(await Promise.all(hosts.map(statusOf))).toEqual([200, 200, 503, 200, 503]);
    clock.advance(60 * 60_000);
    expect(await statusOf('a.example')).toBe(503);
    await restart(true);
    tell('school_a', 'DomainRemoved', { domain: 'academy.example' });
    offer();
    await until(async () => (await statusOf('nobody.example')) === 404);
    expect(await Promise.all(hosts.map(statusOf))).toEqual([200, 404, 404, 200, 404]);
  });

  test('learns of a school while it runs, and of its move', async () => {
    await start();
    expect((await get('late.example', '/')).status).toBe(404);
    const { type, data } = provisioned('late', 'https://late.example');
    await channel.publish([tell('school_late', type, data)]);
    await until(async () => (await get('late.example', '/')).status === 200);
    await channel.publish([
      tell('school_late', 'SchoolMoved', { host: 'moved.example', base_url: 'https://moved.example' }),
    ]);
    await until(async () => (await get('moved.example', '/')).status === 200);
    expect((await get('late.example', '/')).status).toBe(404);
    expect((await get('moved.example', '/')).text).toContain('School late');
  });

  test('one school without a usable address does not hold up the next', async () => {
    const bad = provisioned('bad', 'https://bad.example');
    tell('school_bad', bad.type, { ...bad.data, base_url: 'nonsense' });
    tell('school_worse', bad.type, { nothing: true });
    tell('school_nobody', 'SchoolMoved', { host: 'x.example', base_url: 'https://x.example' });
    tell('school_good', 'SomethingNew', { of: 'a later version' });
    const good = provisioned('good', 'https://good.example');
    tell('school_good', good.type, good.data);
    await start();
    expect((await get('good.example', '/')).status).toBe(200);
    expect(errors).toHaveLength(3);
  });

  test('counts together with others where the store of counts is shared, else by itself', async () => {
    const { type, data } = provisioned('a', 'https://a.example');
    tell('school_a', type, data);
    const memory = ephemeral;
    const left = async () => (await get('a.example', '/api/courses')).headers['ratelimit'];
    const stop = async () => {
      await started.close();
      server.close();
      await channel.close();
      channel = memoryChannel();
    };
    await start();
    expect(await left()).toBe('"anonymous";r=119;t=1');
    await stop();
    ephemeral = { ...memory, isShared: true };
    await start();
    expect([await left(), await left()]).toEqual(['"anonymous";r=119;t=1', '"anonymous";r=118;t=1']);
    await stop();
    await start();
    expect(await left()).toBe('"anonymous";r=113;t=1');
  });

  test('starts without a school service, and then knows no host', async () => {
    services.delete('school');
    await start();
    expect((await get('a.example', '/')).status).toBe(404);
  });

  test('describes what its services describe', async () => {
    services.set('catalog', upstream('catalog', { '/api/courses': { get: { operationId: 'listCourses' } } }));
    const { type, data } = provisioned('a', 'https://a.example');
    tell('school_a', type, data);
    await start();
    const document = JSON.parse((await get('a.example', '/openapi.json')).text);
    expect(document.servers).toEqual([{ url: 'https://a.example' }]);
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/openapi.json', '/api/courses']));
  });

  test('does not start when two services describe one thing differently', async () => {
    services.set('school', upstream('school', { '/api/courses': {} }));
    await expect(start()).rejects.toThrow('/api/courses');
  });

  test('a service that is not there costs its own paths a 503, and nothing else', async () => {
    services.delete('catalog');
    const { type, data } = provisioned('a', 'https://a.example');
    tell('school_a', type, data);
    await start();
    const missing = await get('a.example', '/api/courses');
    expect([missing.status, missing.headers['retry-after']]).toEqual([503, '5']);
    expect(JSON.parse(missing.text)).toMatchObject({ error: 'temporarily_unavailable' });
    expect((await get('a.example', '/api/school')).status).toBe(200);
    expect((await get('a.example', '/.well-known/openid-configuration')).status).toBe(200);
  });
});
