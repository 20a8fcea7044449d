import { type Channel, memoryChannel } from '@lyceum/channel';
import { memoryDocuments } from '@lyceum/documents';
import { memoryEphemeral } from '@lyceum/ephemeral';
import { Vault, memoryEventLog, memoryKeyStore } from '@lyceum/eventlog';
import { systemIds } from '@lyceum/kernel';
import { trustState } from '@lyceum/oauth';
import { FakeClock } from '@lyceum/testkit';
import { testSchool, type TestSchool, type TokenClaims } from '@lyceum/oauth/testing';
import { silentLogger } from '@lyceum/web';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { catalog } from './module.ts';

/** What a test sends beside method and path. */
export interface Sent {
  readonly as?: TokenClaims | 'anonymous';
  readonly school?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What came back. `body` is the parsed JSON, or undefined when there was none. */
export interface Got {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects of the body by asserting it
  readonly body: any;
}

/** The catalog as one process runs it, over memory, behind a real socket. */
export interface Catalog {
  readonly clock: FakeClock;
  readonly channel: Channel;
  /** By default as the owner of school_1, with every scope. */
  call(method: string, path: string, sent?: Sent): Promise<Got>;
  /** Creates a course and gives its body. */
  create(body: object, sent?: Sent): Promise<Got['body']>;
  /** Waits until lists have everything that was written. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

const currencies: Readonly<Record<string, string>> = { school_1: 'USD', school_2: 'JPY' };

/** Starts the catalog with two schools: school_1 (USD) and school_2 (JPY). */
export async function startCatalog(): Promise<Catalog> {
  const clock = new FakeClock();
  const trust = trustState(clock);
  const schools = new Map<string, TestSchool>();
  for (const id of Object.keys(currencies)) schools.set(id, await testSchool({ clock, id, trust }));
  const channel = memoryChannel();
  channel.offer('school', 1, async (lane, after) => provisioned(lane).filter(({ position }) => position > after));

  const log = memoryEventLog();
  const rootKey = Buffer.alloc(32, 7);
  const ports = { log, documents: memoryDocuments(), ephemeral: memoryEphemeral(clock), clock, ids: systemIds(clock) };
  const started = await catalog.start({
    ...ports,
    vault: new Vault(memoryKeyStore(), [rootKey]),
    rootKeys: [rootKey],
    channel,
    mail: { send: () => Promise.reject(new Error('the catalog sends no mail')), close: () => Promise.resolve() },
    trust,
    logger: silentLogger as never,
    cursorSecret: 'cursor secret of a test',
    settings: {} as never,
    upstream: () => {
      throw new Error('the catalog asks no sibling');
    },
  });
  await started.ready?.();
  const server = createServer(started.app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const call: Catalog['call'] = async (method, path, { as = {}, school = 'school_1', body, headers = {} } = {}) => {
    const token = as === 'anonymous' ? undefined : await schools.get(school)!.token(as);
    const response = await fetch(origin + path, {
      method,
      redirect: 'manual',
      headers: {
        'x-school-id': school,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  };

  return {
    clock,
    channel,
    call,
    async create(body, sent) {
      const got = await call('POST', '/api/courses', { ...sent, body });
      if (got.status !== 201) throw new Error(`not created: ${got.status} ${JSON.stringify(got.body)}`);
      return got.body;
    },
    settled: async () => void (await started.ready?.()),
    async close() {
      server.close();
      server.closeAllConnections();
      await started.close();
      await channel.close();
    },
  };
}

const provisioned = (lane: number) =>
  Object.entries(currencies).map(([tenant, currency], index) => ({
    source: 'school',
    lane,
    position: index + 1,
    previous: index,
    tenant,
    at: '2026-01-01T00:00:00.000Z',
    facts: [
      {
        id: `fact_${tenant}`,
        type: 'SchoolProvisioned',
        schema: 1,
        subject: tenant,
        version: 1,
        data: { slug: tenant, name: tenant, host: tenant, base_url: '', currency, locale: 'en', timezone: 'UTC' },
      },
    ],
  }));
