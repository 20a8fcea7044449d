import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryChannel } from '@lyceum/channel';
import { memoryDocuments } from '@lyceum/documents';
import { memoryEphemeral } from '@lyceum/ephemeral';
import { Vault, catalogueOf, encryptedEventLog, memoryEventLog, memoryKeyStore } from '@lyceum/eventlog';
import { systemClock, systemIds, uuidv5 } from '@lyceum/kernel';
import { memoryMail } from '@lyceum/mail';
import { trustState } from '@lyceum/oauth';
import { type ModulePorts, type Started, followFacts } from '@lyceum/service';
import { mount } from '@lyceum/web';
import { mkdtemp, rm } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findByEmail } from './domain/accounts/account-registry.ts';
import { demoSchool } from './domain/accounts/demo-accounts.ts';
import { passwordsOf } from './domain/accounts/password-hashing.ts';
import { keyRingStream } from './domain/streams.ts';
import { auth } from './module.ts';
import type { AuthSettings } from './settings.ts';

const school = demoSchool('lantern-craft');
let folder: string;
let ports: ModulePorts<AuthSettings>;
let trust: ReturnType<typeof trustState>;
const servers: Server[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-auth-'));
  const clock = systemClock;
  const channel = memoryChannel();
  const data = {
    slug: 's',
    name: 'Lantern',
    host: 'h',
    base_url: 'http://h',
    currency: 'USD',
    locale: 'en',
    timezone: 'UTC',
  };
  const joined = (tenant: string, local: string, role: string) => {
    const member_id = `account_${uuidv5('demo-account', tenant, local)}`;
    return [tenant, 'MemberJoined', member_id, { member_id, role }] as const;
  };
  const told = [
    [school, 'SchoolProvisioned', 'school-1', data],
    joined(school, 'owner', 'owner'),
    joined(school, 'admin', 'admin'),
    joined(school, 'lecturer', 'lecturer'),
    joined(school, 'student', 'member'),
    joined(demoSchool('north-quay'), 'owner', 'owner'),
  ] as const;
  const messages = told.map(([tenant, type, subject, about], index) => ({
    source: 'school',
    lane: 0,
    position: index + 1,
    previous: index,
    tenant,
    at: '2026-01-05T08:00:00.000Z',
    facts: [{ id: `f${index}`, type, schema: 1, subject, version: 1, data: about }],
  }));
  channel.offer('school', 1, async (_, after) => messages.filter(({ position }) => position > after));
  const vault = new Vault(memoryKeyStore(), [Buffer.alloc(32, 7)]);
  trust = trustState(clock);
  const nothing = () => {};
  ports = {
    log: encryptedEventLog(memoryEventLog(), { vault, catalogue: catalogueOf(auth.events ?? []) }),
    vault,
    rootKeys: [Buffer.alloc(32, 7)],
    documents: memoryDocuments(),
    ephemeral: memoryEphemeral(clock),
    clock,
    ids: systemIds(clock),
    channel,
    mail: memoryMail(),
    trust,
    cursorSecret: 'c',
    settings: {
      PORT: 1,
      HOST: '127.0.0.1',
      BASE_URL: 'http://h',
      DATA_DIR: folder,
      DOCS_URL: 'http://h/docs',
      NODE_ENV: 'test',
      RATE_LIMIT_FACTOR: 20,
      REFRESH_GRACE_SECONDS: 30,
      SIGNING_KEY_SECONDS: 90 * 24 * 60 * 60,
      CLIENT_DOCUMENT_MAX_BYTES: 65_536,
      CLIENT_DOCUMENT_HOSTS: () => true,
      LOCALHOST_REDIRECTS: true,
      TRUSTED_PROXIES: [],
    },
    logger: { info: nothing, error: nothing, warn: nothing } as unknown as ModulePorts['logger'],
    upstream: () => {
      throw new Error('there is no sibling');
    },
  };
});
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((closed) => server.close(closed));
  await ports.channel.close();
  await rm(folder, { recursive: true });
});

async function listen(handler: Started['app']): Promise<string> {
  const server = createServer((request, response) => {
    request.headers['x-school-id'] = school;
    handler(request, response);
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What is answered about another school. */
async function serving(handler: Started['app'], id: string): Promise<Response> {
  const server = createServer((request, response) => {
    request.headers['x-school-id'] = id;
    handler(request, response);
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/oauth/jwks`);
}

describe('the module', () => {
  test('is ready without a key, makes the first when somebody asks for it, publishes it, and keeps it over a restart', async () => {
    const feed = followFacts(ports, 'auth', 'test', (arrival) => void trust.apply(arrival));
    const first = await auth.start(ports);
    await first.ready!();
    expect(await ports.log.load(school, [keyRingStream])).toMatchObject({ commits: [] });
    const read = async (started: Started) => (await fetch(`${await listen(started.app)}/api/oauth/jwks`)).json();
    const { keys } = (await read(first)) as { keys: { kid: string; alg: string }[] };
    expect(keys.map(({ alg }) => alg)).toEqual(['ES256']);
    await feed.caughtUp();
    for (const { kid } of keys) expect(trust.key(school, kid)).toBeDefined();
    await first.close();

    const second = await auth.start(ports);
    await second.ready!();
    expect(((await read(second)) as { keys: unknown }).keys).toEqual(keys);
    await second.close();
    await feed.close();
  });

  test('serves the schools that it knew while the school service is away, and 503 says that it is awaited for others', async () => {
    const first = await auth.start(ports);
    await first.ready!();
    await Promise.all((first.readModels ?? []).map((model) => model.caughtUp()));
    await first.close();
    ports = { ...ports, channel: memoryChannel() };
    const second = await auth.start(ports);
    await second.ready!((service) => service === 'school');
    const url = await listen(second.app);
    expect((await fetch(`${url}/api/oauth/jwks`)).status).toBe(200);
    const other = await serving(second.app, 'school_other');
    expect([other.status, other.headers.get('retry-after'), await other.json()]).toEqual([
      503,
      '1',
      expect.objectContaining({ error_description: expect.stringContaining('the school service is awaited') }),
    ]);
    await second.close();
  });

  test('opens the demo accounts once, and changes their password when it is another one', async () => {
    const started = await auth.start(ports);
    await started.ready!();
    const demo = { port: 1, baseUrl: 'http://h' };
    await started.seedDemo!({ ...demo, password: 'first password' });
    const lane = ports.log.laneOf(school);
    // The first signing keys of the school come meanwhile, by a background job.
    const aboutAccounts = async () =>
      (await ports.log.readLane(lane, 0, 1_000))
        .flatMap(({ events }) => events)
        .filter(({ type }) => type === 'AccountOpened' || type === 'PasswordChanged');
    const before = await aboutAccounts();
    expect(before.length).toBeGreaterThan(3);
    await started.seedDemo!({ ...demo, password: 'first password' });
    expect(await aboutAccounts()).toEqual(before);
    const emails = ['owner', 'admin', 'lecturer', 'student'].map((local) => `${local}@lantern.test`);
    const people = await Promise.all(emails.map((email) => findByEmail(ports, school, email)));
    expect(people.map((person) => person?.role)).toEqual(['owner', 'admin', 'lecturer', 'member']);

    await started.seedDemo!({ ...demo, password: 'second password' });
    const owner = await findByEmail(ports, school, emails[0]!);
    expect(owner?.id).toBe(people[0]?.id);
    expect(await passwordsOf(1).verify(owner?.passwordHash, 'second password')).toBe(true);
    expect(await findByEmail(ports, demoSchool('north-quay'), 'owner@northquay.test')).toMatchObject({ role: 'owner' });
    await started.close();
  });

  test('lets the operator open accounts, one for each e-mail address of a school', async () => {
    const started = await auth.start(ports);
    await started.ready!();
    const app = mount({
      service: 'auth',
      cursorSecret: ports.cursorSecret,
      operations: started.internal!,
      ports,
      trust: { ...trust, school: (id) => ({ id, issuer: 'http://h' }) },
    });
    const url = `${await listen(app.callback() as Started['app'])}/internal/accounts`;
    const open = async (changes: Record<string, unknown>) => {
      const json = {
        school,
        email: 'Ada@example.org',
        name: 'Ada',
        password: 'long enough',
        ...changes,
      };
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(json),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const { status, body } = await open({});
    expect([status, body['email'], Object.keys(body).some((key) => key.startsWith('password'))]).toEqual([
      201,
      'Ada@example.org',
      false,
    ]);
    expect((await open({ email: 'ada@EXAMPLE.org' })).body['error']).toBe('email_taken');
    expect((await open({ school: 'school_unknown', email: 'b@example.org' })).body['error']).toBe('not_found');
    for (const changes of [{ password: 'short' }, { email: 'nobody' }, { role: 'owner' }, { name: ' ' }])
      expect((await open(changes)).body['error']).toBe('validation_failed');
    await started.close();
  });
});
