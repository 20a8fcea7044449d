import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import {
  type ReadyProxy,
  type SplitSystem,
  Client,
  availability,
  call,
  engines,
  freePort,
  loopbackFetch,
  readyProxy,
  startSplit,
  urlsOf,
} from '@lyceum/testkit';
import { createServer } from 'node:net';
import { Gifts } from '../testing/drills/gifts.ts';
import { Installation } from '../testing/drills/installation.ts';
import { docs } from '../testing/drills/page.ts';
import { hasStatus, inForce } from '../testing/in-force.ts';

// A dozen processes on engines, and three more.
jest.setTimeout(600_000);

const page = await docs('drills/scaling');
const lanes = 4;

interface Consumed {
  readonly consumer: string;
  readonly source: string;
  readonly lane: number;
  readonly lag: number | null;
}

let machine: Installation;
let system: SplitSystem;
let front: ReadyProxy;
let more: readonly { readonly port: number; status(path: string): Promise<number | undefined> }[] = [];

beforeAll(async () => {
  front = await readyProxy(() => [system?.processes.get('learning'), ...more]);
  // Where every read is a scan, a dozen services and a load leave no time for anything.
  const [, kafka, redis] = await engines();
  const [mongodb] = (await availability('mongodb-indexed')).engines;
  if (!mongodb) throw new Error('there is no MongoDB-wire server with indexes: npm run engines');
  const shared = await Promise.all([mongodb, kafka!, redis!].map((engine) => engine.shared()));
  const env = { LANES: String(lanes), LEARNING_URL: `http://127.0.0.1:${front.port}`, DRAIN_MS: '5000' };
  system = await startSplit({ engines: urlsOf(shared), env, wholeServices: true });
  machine = await Installation.beside(system.env);
}, 600_000);
afterAll(async () => {
  await machine?.run('for pid in *.pid; do [ -e "$pid" ] && kill "$(cat "$pid")" || true; done');
  await system?.stop();
  await front?.close();
  await machine?.remove();
});

/** The lanes that the process behind an operator listener follows, by source and consumer. */
async function lanesAt(port: number): Promise<ReadonlyMap<string, readonly number[]>> {
  const { body } = await call(`http://127.0.0.1:${port}/internal/consumers`, { token: system.operatorToken });
  const found = new Map<string, number[]>();
  for (const { consumer, source, lane } of body.data as Consumed[]) {
    const name = `${source} ${consumer}`;
    found.set(name, [...(found.get(name) ?? []), lane]);
  }
  return found;
}

/** The consumers whose lanes these processes have divided, each lane to one of them and some to each. */
async function divided(ports: readonly number[]): Promise<readonly string[]> {
  const parts = await Promise.all(ports.map(lanesAt));
  const whole = Array.from({ length: lanes }, (_, lane) => lane);
  return [...parts[0]!.keys()].filter((name) => {
    const each = parts.map((part) => part.get(name) ?? []);
    return (
      each.every(({ length }) => length > 0) &&
      String(each.flat().toSorted((one, other) => one - other)) === String(whole)
    );
  });
}

const isFollowed = (names: readonly string[]) => names.some((name) => name.startsWith('commerce '));

test('docs/drills/scaling.md: a service from one process to three and back under load: no request fails, lanes are divided and given back, nothing is lost or done twice', async () => {
  const own = Number(system.processes.get('learning')!.env['OPERATOR_PORT']);
  const client = await Client.register(system.baseUrl);
  const tokenOf = async (who: string, scope: string) =>
    (await client.tokens(`${who}@lantern.test`, system.password, scope)).access_token;
  const staff = await tokenOf('owner', 'courses:read courses:write members:read students:read');
  const student = await tokenOf('student', 'account:read courses:read curriculum:read');
  const members = (await call(`${system.baseUrl}/api/members?limit=100`, { token: staff })).body.data;
  const member = members.find(({ email }: { email: string }) => email === 'student@lantern.test').id as string;
  expect(isFollowed(await inForce(60_000, () => divided([own]), isFollowed))).toBe(true);

  // The proxy leads nowhere until everything runs: the gateway knows a moment later that it does now.
  const isServed = () => call(`${system.baseUrl}/api/students`, { token: staff });
  expect((await inForce(60_000, isServed, hasStatus(200))).status).toBe(200);

  const gifts = new Gifts(system, { staff, student, member });
  const over = new AbortController();
  const load = gifts.run(over.signal);
  try {
    await given(gifts, 3);
    const ports = await pairs(2);
    const variables = { ...system.env, SERVICE: 'learning', PORTS: ports.join(' ') };
    await page.run('More', machine, variables).catch(async (cause: unknown) => {
      const { printed } = await machine.run('tail -n 5 ./*.log');
      throw new Error(`the processes said:\n${printed}`, { cause });
    });
    more = ports.map((port) => ({ port, status: (path) => statusAt(port, path) }));
    const all = [own, ...ports.map((port) => port + 1)];
    expect(isFollowed(await inForce(60_000, () => divided(all), isFollowed))).toBe(true);
    const told = await page.run('Is it over?', machine, variables);
    expect(told.printed).toMatch(/"source":"commerce"/);
    await given(gifts, 3);
    await page.run('Fewer', machine, variables);
    more = [];
    expect(isFollowed(await inForce(60_000, () => divided([own]), isFollowed))).toBe(true);
    await given(gifts, 3);
  } finally {
    over.abort();
    await load;
  }
  expect(await loggedAbout(gifts.refused)).toEqual([]);
  expect(gifts.given.length).toBeGreaterThanOrEqual(9);

  /** The ids of grants by course, as the staff sees them. */
  const grants = async () => {
    const { body } = await call(`${system.baseUrl}/api/students/${member}`, { token: staff });
    const found = body.enrollments as { course_id: string; grants: unknown[] }[];
    return gifts.given.map((course) =>
      found.filter(({ course_id }) => course_id === course).map((each) => each.grants.length),
    );
  };
  const once = gifts.given.map(() => [1]);
  expect(await inForce(60_000, grants, (found) => String(found) === String(once))).toEqual(once);
  const lag = async () => {
    const { body } = await call(`http://127.0.0.1:${own}/internal/consumers`, { token: system.operatorToken });
    return (body.data as Consumed[]).filter((row) => row.lag !== 0);
  };
  expect(await inForce(60_000, lag, ({ length }) => length === 0)).toEqual([]);
  expect(page.left).toEqual([]);
  process.stdout.write(`${gifts.answered} requests and ${gifts.given.length} gifts\n`);
});

test('docs/drills/key-compromise.md on separate processes: each service refuses what the stolen key signed, and takes what the new one signs', async () => {
  const client = await Client.register(system.baseUrl);
  const scope = 'openid courses:read members:read students:read orders:read pages:read analytics:read';
  const tokens = await client.tokens('owner@lantern.test', system.password, scope);
  const school = (await call(`${system.baseUrl}/api/school`)).body.id as string;
  const auth = system.processes.get('auth-http')!.env['OPERATOR_PORT'];
  const answers = async (token: string): Promise<readonly number[]> => {
    const paths = ['courses', 'members', 'students', 'orders', 'pages', 'oauth/userinfo', 'analytics/enrollments'];
    return Promise.all(paths.map(async (path) => (await call(`${system.baseUrl}/api/${path}`, { token })).status));
  };
  const all = (status: number) => Array.from({ length: 7 }, () => status);
  const areAll = (status: number) => (found: readonly number[]) => String(found) === String(all(status));
  expect(await inForce(60_000, () => answers(tokens.access_token), areAll(200))).toEqual(all(200));
  const keys = await docs('drills/key-compromise');
  await keys.run('Declare it compromised', machine, { OPERATOR_URL: `http://127.0.0.1:${auth}`, SCHOOL: school });
  const began = Date.now();
  expect(await inForce(60_000, () => answers(tokens.access_token), areAll(401))).toEqual(all(401));
  process.stdout.write(`refused everywhere after ${Date.now() - began} ms\n`);
  const { body } = await client.refresh(tokens.refresh_token);
  expect(await inForce(60_000, () => answers(body.access_token), areAll(200))).toEqual(all(200));
});

const statusAt = (port: number, path: string): Promise<number | undefined> =>
  loopbackFetch(`http://127.0.0.1:${port}${path}`).then(
    ({ status }) => status,
    () => undefined,
  );

/** What was refused, with what the processes have logged about it. */
async function loggedAbout(refused: readonly string[]): Promise<readonly string[]> {
  const { printed } = await machine.run('cat learning-*.log');
  const lines = [printed, ...[...system.processes.values()].map((each) => each.output())].join('\n').split('\n');
  return refused.flatMap((each) => {
    const id = /req_[\w-]+/.exec(each)?.[0];
    return [each, ...lines.filter((line) => id !== undefined && line.includes(id))];
  });
}

/** Waits until some more were given: the load goes on in each number of processes. */
async function given(gifts: Gifts, more: number): Promise<void> {
  const wanted = gifts.given.length + more;
  await inForce(
    120_000,
    () => Promise.resolve(gifts.given.length),
    (found) => found >= wanted,
  );
}

/** Ports of which the next one is free too. */
async function pairs(count: number): Promise<readonly number[]> {
  const found: number[] = [];
  while (found.length < count) {
    const port = await freePort();
    if (await isFree(port + 1)) found.push(port);
  }
  return found;
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
