import { type Channel, memoryChannel } from '@lyceum/channel';
import { memoryEphemeral } from '@lyceum/ephemeral';
import { memoryMail } from '@lyceum/mail';
import { operatorApp } from '@lyceum/operations';
import { type TestSchool, type TokenClaims, testSchool } from '@lyceum/oauth/testing';
import { type TrustState, trustState } from '@lyceum/oauth';
import type { CommonSettings, Module, ModulePorts, Started } from '@lyceum/service';
import { pino } from 'pino';
import { listen } from '@lyceum/testkit';
import { type Engines, type GivenEvent, enginesOf, rootKey } from './engines.ts';
import { provisionedSchools } from './provisioned-schools.ts';
import { PublishedFacts, type PublishedFact } from './published-facts.ts';

/** What a test sends beside method and path. */
export interface Sent {
  /** Claims of the token that is issued for the request: by default the owner's, with every scope. */
  readonly as?: TokenClaims | 'anonymous';
  /** This token instead of an issued one. */
  readonly token?: string | undefined;
  /** By default the first school. */
  readonly school?: string;
  /** Sent as JSON; a string as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What came back. `body` is the parsed JSON, other text as it is, or undefined when there was none. */
// oxlint-disable-next-line typescript/no-explicit-any -- a test says what it expects of the body by asserting it
export interface Got<Body = any> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** How a service is started for a test. */
export interface UnderTestOptions<Settings extends object> {
  /** Currency of each school that there is, by id: `school_1` in USD and `school_2` in JPY when not given. */
  readonly schools?: Readonly<Record<string, string>>;
  /** Events that stand in the log before the start, by school. */
  readonly given?: Readonly<Record<string, readonly GivenEvent[]>>;
  /** What other services have published before the start, by service. Those of the school service follow its schools. */
  readonly published?: Readonly<Record<string, readonly PublishedFact[]>>;
  /** Settings that differ from those of an empty environment. */
  readonly settings?: Partial<CommonSettings & Settings>;
  /** Engines of an earlier start; new ones when not given. */
  readonly engines?: Engines;
  /** What the service knows of issuers and keys; knows the schools in any case. */
  readonly trust?: TrustState;
  /** Ports that replace those of the test. */
  readonly ports?: Partial<ModulePorts>;
}

/** A service as one process runs it, on engines in memory, behind real sockets. */
export interface ServiceUnderTest extends Pick<Engines, 'clock' | 'log' | 'vault'> {
  readonly started: Started;
  readonly ports: ModulePorts;
  readonly channel: Channel;
  /** Sends a request: by default as the owner of the first school; under `/internal` as the operator. */
  call<Body = Got['body']>(method: string, path: string, sent?: Sent): Promise<Got<Body>>;
  /** Another service publishes an integration event; `settled` waits until it has arrived. */
  publish(source: string, fact: PublishedFact): Promise<void>;
  /** Subjects whose keys the service destroyed, in order. */
  readonly erased: readonly string[];
  /** Waits until read models have everything that was written. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

const silent = pino({ enabled: false });

const operatorToken = 'operator-token-of-a-test';

/** Starts a service for a test, and waits until it is ready. */
export async function serviceUnderTest<Settings extends object>(
  module: Module<Settings>,
  options: UnderTestOptions<Settings> = {},
): Promise<ServiceUnderTest> {
  const { engines = enginesOf(module), schools: currencies = { school_1: 'USD', school_2: 'JPY' } } = options;
  const { clock } = engines;
  const { trust = trustState(clock), given = {} } = options;
  const schools = new Map<string, TestSchool>();
  for (const id of Object.keys(currencies)) schools.set(id, await testSchool({ clock, id, trust }));
  for (const [school, events] of Object.entries(given)) await engines.write(school, events);
  const channel = memoryChannel();
  const facts = new PublishedFacts(channel, { school: await provisionedSchools(currencies)(0, 0) });
  for (const [source, all] of Object.entries(options.published ?? {}))
    for (const fact of all) await facts.publish(source, fact);
  // What the test says of issuers and keys, no channel brings.
  for (const source of module.consumes) if (source !== 'auth') facts.offer(source);
  const erased: string[] = [];
  const ports: ModulePorts = {
    ...engines,
    ephemeral: memoryEphemeral(clock),
    mail: memoryMail(),
    channel,
    trust,
    rootKeys: [rootKey],
    logger: silent,
    cursorSecret: 'cursor secret of a test',
    settings: settingsOf(module, options.settings),
    async erase(school, subject) {
      erased.push(subject);
      await engines.vault.destroy(school, subject);
    },
    upstream: (name) => {
      throw new Error(`${module.name} calls ${name}, which is not under test`);
    },
    ...options.ports,
  };
  const started = await module.start(ports as ModulePorts<Settings>);
  await started.ready?.();
  const surfaces = [{ service: module.name, operations: started.internal ?? [], ports }];
  const requestId = () => 'req_test';
  const operator = operatorApp({ token: operatorToken, surfaces, cursorSecret: 'c', logger: silent, requestId });
  const [front, back] = await Promise.all([listen(started.app), listen(operator)]);

  async function call(method: string, path: string, sent: Sent = {}) {
    const { as = {}, school = [...schools.keys()][0], body, headers = {} } = sent;
    const isInternal = path.startsWith('/internal/');
    const issued = () => (as === 'anonymous' ? undefined : schools.get(school ?? '')?.token(as));
    const token = isInternal ? operatorToken : 'token' in sent ? sent.token : await issued();
    const response = await fetch(`http://127.0.0.1:${(isInternal ? back : front).port}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(school === undefined ? {} : { 'x-school-id': school }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const got = isJson ? JSON.parse(text) : text;
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : got };
  }

  return {
    ...engines,
    started,
    ports,
    channel,
    call,
    erased,
    publish: (source, fact) => facts.publish(source, fact),
    settled: async () => void (await started.ready?.()),
    async close() {
      await Promise.all([front.close(), back.close(), started.close()]);
      await Promise.all([channel.close(), ports.ephemeral.close()]);
    },
  };
}

const common: CommonSettings = {
  PORT: 8080,
  HOST: '127.0.0.1',
  BASE_URL: 'http://127.0.0.1:8080',
  DATA_DIR: '/nowhere',
  NODE_ENV: 'test',
  RATE_LIMIT_FACTOR: 1,
  TRUSTED_PROXIES: [],
};

/** The settings of an empty environment, but for those that a test chooses. */
const settingsOf = <Settings extends object>({ settings }: Module<Settings>, chosen: object = {}) =>
  ({ ...common, ...settings?.safeParse({}).data, ...chosen }) as CommonSettings & Settings;
