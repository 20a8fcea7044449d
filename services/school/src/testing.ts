import { memoryMail } from '@lyceum/mail';
import { type Channel, memoryChannel } from '@lyceum/channel';
import { type Documents, memoryDocuments } from '@lyceum/documents';
import { memoryEphemeral } from '@lyceum/ephemeral';
import { type EventLog, Vault, catalogueOf, encryptedEventLog, memoryEventLog, memoryKeyStore } from '@lyceum/eventlog';
import { trustState } from '@lyceum/oauth';
import { type Arrival, type ModulePorts, type Started, followFacts } from '@lyceum/service';
import { type Handler } from '@lyceum/internal-api';
import { operatorApp } from '@lyceum/operations';
import { FakeClock, FakeIds } from '@lyceum/testkit';
import { silentLogger } from '@lyceum/web';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { school } from './module.ts';

/** What came back. */
interface Got {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects of the body by asserting it
  readonly body: any;
}

/** The school service as one process runs it, over memory. */
export interface Schools {
  readonly started: Started;
  readonly ports: ModulePorts;
  /** Facts that other services have heard. */
  heard(): Promise<readonly Arrival[]>;
  /** Calls an operator operation. */
  operate(method: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Got>;
  /** Reads the school of this id as a visitor, or with a token. */
  visit(id: string, token?: string): Promise<Got>;
  /** Calls an operation of a school's API, or one under `/internal` as the operator. */
  call(method: string, path: string, sent: Sent): Promise<Got>;
  close(): Promise<void>;
}

/** What a test sends beside method and path. */
export interface Sent {
  readonly school: string;
  /** None = a visitor. */
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Engines that outlive a start, as a data folder does. */
export interface Engines {
  readonly log: EventLog;
  readonly vault: Vault;
  readonly documents: Documents;
  readonly ids: FakeIds;
  readonly clock: FakeClock;
}

/** New engines. */
export function engines(): Engines {
  const vault = new Vault(memoryKeyStore(), [rootKey]);
  return {
    log: encryptedEventLog(memoryEventLog(), { vault, catalogue: catalogueOf(school.events ?? []) }),
    vault,
    documents: memoryDocuments(),
    ids: new FakeIds(),
    clock: new FakeClock(),
  };
}

const rootKey = Buffer.alloc(32, 7);

const token = 'operator-token-of-a-test';

/** Starts the service on engines; `trust` is fed by its own facts, and may be fed by a test beside. */
export async function startSchools(
  on: Engines = engines(),
  trust = trustState(on.clock),
  more: Partial<ModulePorts> = {},
): Promise<Schools> {
  const channel: Channel = memoryChannel();
  const ports: ModulePorts = {
    ...on,
    rootKeys: [rootKey],
    channel,
    mail: memoryMail(),
    trust,
    cursorSecret: 'cursor secret of a test',
    logger: silentLogger as never,
    ephemeral: memoryEphemeral(on.clock),
    settings: { PLATFORM_DOMAINS: ['lyceum.app'], DNS_SERVERS: [], BASE_URL: 'http://127.0.0.1:8080' } as never,
    upstream: () => {
      throw new Error('the school service asks no sibling');
    },
    ...more,
  };
  const started = await school.start(ports as Parameters<typeof school.start>[0]);
  await started.ready?.();
  const arrivals: Arrival[] = [];
  const feed = followFacts(ports, 'school', 'test', (arrival) => {
    arrivals.push(arrival);
    trust.apply(arrival);
  });
  const surfaces = [{ service: 'school', operations: started.internal ?? [], ports }];
  const requestId = () => 'req_test';
  const operator = operatorApp({ token, surfaces, cursorSecret: 'c', logger: silentLogger as never, requestId });
  const [front, back] = await Promise.all([serve(started.app), serve(operator)]);
  return {
    started,
    ports,
    heard: async () => (await feed.caughtUp(), arrivals),
    operate: (method, body, headers = {}) =>
      call(`${back.origin}/internal/schools`, method, { authorization: `Bearer ${token}`, ...headers }, body),
    visit: async (id, bearer) => {
      await feed.caughtUp();
      const authorization: Record<string, string> = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
      return call(`${front.origin}/api/school`, 'GET', { 'x-school-id': id, ...authorization });
    },
    async call(method, path, { school: id, token: bearer, body, headers = {} }) {
      await feed.caughtUp();
      const isInternal = path.startsWith('/internal/');
      const shown = isInternal ? token : bearer;
      const authorization: Record<string, string> = shown === undefined ? {} : { authorization: `Bearer ${shown}` };
      const url = `${(isInternal ? back : front).origin}${path}`;
      return call(url, method, { 'x-school-id': id, ...authorization, ...headers }, body);
    },
    async close() {
      await Promise.all([front.close(), back.close(), feed.close(), started.close()]);
      await channel.close();
    },
  };
}

async function serve(handler: Handler): Promise<{ origin: string; close: () => Promise<void> }> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const close = () => new Promise<void>((resolve) => (server.close(() => resolve()), server.closeAllConnections()));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

async function call(url: string, method: string, headers: Record<string, string>, body?: unknown): Promise<Got> {
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(url, { method, headers: { 'content-type': 'application/json', ...headers }, ...json });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}
