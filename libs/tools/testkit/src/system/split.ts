import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressSetting, routes } from '@lyceum/contracts';
import { Client, call } from '../http/client.ts';
import { serverFolder } from '../servers/run-folder.ts';
import { type ReadyProxy, readyProxy } from './ready-proxy.ts';
import { type HowStarted, ServiceProcess } from './service-process.ts';
import { type Place, built, demoPassword, freePort } from './system.ts';

/** The engines under a split system, as settings hold them. */
export interface SplitEngines {
  /** Files of each process when not given: then each service has to be whole. */
  readonly mongodb?: string;
  readonly kafka: string;
  readonly redis: string;
}

/** How a split system is started. */
export interface SplitOptions extends Pick<HowStarted, 'nodeArgs'> {
  readonly engines: SplitEngines;
  /** Settings of every process, beside those that the test kit chooses. */
  readonly env?: Readonly<Record<string, string>>;
  /** Port of the gateway; a free one when not given. */
  readonly port?: number;
  /** The process whose end is the end of the system, however it comes; this one when not given. */
  readonly owner?: number;
  /** Each service in one process, instead of the authorization server in three. */
  readonly wholeServices?: boolean;
  /** Services find each other where nobody answers before they are ready, as in Kubernetes. */
  readonly readyOnly?: boolean;
}

/** A split system of which nothing runs yet. */
export interface PreparedSplit extends SplitSystem {
  /** Resolves when the demo schools are complete everywhere; every process must have been launched. */
  complete(): Promise<void>;
}

/** The whole system as separate processes on real engines. */
export interface SplitSystem extends Place {
  /** By name: `gateway`, `auth-http`, `auth-consumer`, `auth-relay`, and each other service by its own. */
  readonly processes: ReadonlyMap<string, ServiceProcess>;
  /** The environment of all processes; for more of them. */
  readonly env: Readonly<Record<string, string>>;
  /** SIGTERM to all; resolves to their exit codes. */
  stop(): Promise<(number | null)[]>;
}

interface Part {
  readonly name: string;
  readonly service: string;
  readonly role?: string;
}

const parts = (wholeServices: boolean): readonly Part[] => [
  { name: 'gateway', service: 'gateway' },
  ...(wholeServices
    ? [{ name: 'auth-http', service: 'auth' }]
    : ['http', 'consumer', 'relay'].map((role) => ({ name: `auth-${role}`, service: 'auth', role }))),
  ...domainServices.map((service) => ({ name: service, service })),
];

/** The services that stand behind the gateway in one process each. */
const domainServices = [...new Set(Object.values(routes))].filter((name) => name !== 'gateway' && name !== 'auth');

/**
 * Starts every service as a process of its own on engines that run already, with databases, topics and keys of its own,
 * and resolves when the demo schools are complete everywhere.
 */
export async function startSplit(options: SplitOptions): Promise<SplitSystem> {
  const system = await prepareSplit(options);
  const all = [...system.processes.values()];
  try {
    for (const each of all) each.launch();
    await Promise.all(all.map((each) => each.ready()));
    await system.complete();
    return system;
  } catch (error) {
    await Promise.all(all.map((each) => each.end('SIGKILL')));
    throw error;
  }
}

/** Everything that a split system needs, with databases, topics and keys of its own; its processes are launched by the caller. */
export async function prepareSplit(options: SplitOptions): Promise<PreparedSplit> {
  await built();
  const { owner = process.pid, port = await freePort(), engines, wholeServices = false, nodeArgs } = options;
  const folder = await serverFolder(owner, 'split');
  await mkdir(join(folder, 'data'));
  const ports = new Map<string, [number, number]>();
  const processes = new Map<string, ServiceProcess>();
  for (const { name } of parts(wholeServices))
    ports.set(name, [name === 'gateway' ? port : await freePort(), await freePort()]);
  const url = (name: string, at: 0 | 1 = 0) => `http://127.0.0.1:${ports.get(name)![at]}`;
  const proxies = new Map<string, ReadyProxy>();
  if (options.readyOnly)
    for (const { name } of parts(wholeServices)) proxies.set(name, await readyProxy(() => [processes.get(name)]));
  const found = (name: string) => (proxies.has(name) ? `http://127.0.0.1:${proxies.get(name)!.port}` : url(name));
  const operatorToken = 'operator-token-of-this-test-only';
  const env = {
    ...common(engines),
    BASE_URL: url('gateway'),
    AUTH_URL: found('auth-http'),
    ...Object.fromEntries(domainServices.map((service) => [addressSetting(service), found(service)])),
    OPERATOR_TOKEN: operatorToken,
    DATA_DIR: join(folder, 'data'),
    ...options.env,
  };
  for (const { name, service, role } of parts(wholeServices)) {
    const [own, operator] = ports.get(name)!;
    const settings = { ...env, PORT: String(own), OPERATOR_PORT: String(operator), ...(role ? { ROLE: role } : {}) };
    processes.set(name, new ServiceProcess(name, service, folder, settings, nodeArgs ? { nodeArgs } : {}));
  }
  const place: Place = {
    baseUrl: url('gateway'),
    northQuayUrl: `http://northquay.localhost:${port}`,
    operatorUrl: url('school', 1),
    salesOperatorUrl: url('commerce', 1),
    operatorToken,
    password: env.DEMO_PASSWORD,
    port,
    dataDir: env.DATA_DIR,
  };
  return {
    ...place,
    processes,
    env,
    complete: () => complete(place),
    async stop() {
      const codes = await Promise.all([...processes.values()].map((each) => each.end('SIGTERM')));
      for (const proxy of proxies.values()) await proxy.close();
      await rm(folder, { recursive: true, force: true });
      return codes;
    },
  };
}

/**
 * One more process of a service of a split system that runs already, with ports of its own; the caller launches and ends it.
 * `env`: that of the system, and more settings.
 */
export async function anotherProcess(
  service: string,
  env: Readonly<Record<string, string>>,
  how: Pick<HowStarted, 'nodeArgs'> = {},
): Promise<ServiceProcess> {
  const folder = await serverFolder(process.pid, service);
  const ports = { PORT: String(await freePort()), OPERATOR_PORT: String(await freePort()) };
  return new ServiceProcess(service, service, folder, { ...env, ...ports }, how);
}

/** What all processes share: the engines, with names that nobody else uses, and the secrets. */
function common({ mongodb, kafka, redis }: SplitEngines) {
  const name = `s${randomUUID().slice(0, 8)}`;
  return {
    ...(mongodb === undefined ? {} : { MONGODB_URL: mongodb, MONGODB_PREFIX: `${name}_` }),
    KAFKA_BROKERS: kafka,
    KAFKA_PREFIX: `${name}.`,
    REDIS_URL: redis,
    // Few schools need few lanes, and every process looks at each several times a second.
    LANES: '2',
    REDIS_PREFIX: name,
    SERVICE_TOKEN: randomBytes(24).toString('base64url'),
    KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    DEMO_PASSWORD: demoPassword,
    DEMO_HISTORY: 'false',
    DRAIN_MS: '300',
    RATE_LIMIT_FACTOR: '1000',
  };
}

/** Milliseconds in which facts reach every process of a system that has just started. */
const settling = 90_000;

/** Waits until a person of each demo school can sign in and read as staff, and everything is described. */
async function complete({ baseUrl, northQuayUrl, password }: Place): Promise<void> {
  const schools = [
    [baseUrl, 'owner@lantern.test'],
    [northQuayUrl, 'owner@northquay.test'],
  ] as const;
  let seen = '';
  for (const began = Date.now(); Date.now() - began < settling; await sleep(100)) {
    try {
      for (const [url, email] of schools) {
        const described = await call(`${url}/openapi.json`);
        const paths = Object.keys(described.body.paths ?? {});
        if (!['/api/courses', '/api/school', '/api/oauth/token'].every((path) => paths.includes(path)))
          throw new Error(`described: ${paths.join(' ')}`);
        const client = await Client.register(url);
        const { access_token: token } = await client.tokens(email, password, 'courses:read');
        const { status, body } = await call(`${url}/api/courses`, { token });
        // The owner is one only once the school has said so everywhere.
        if (status !== 200 || body.data.length === 0 || body.view !== 'staff')
          throw new Error(`courses: ${status} ${JSON.stringify(body)}`);
      }
      return;
    } catch (error) {
      seen = String(error);
    }
  }
  throw new Error(`the split system did not settle: ${seen}`);
}
