import { demoSchoolId } from '@lyceum/contracts';
import { Client, call } from '@lyceum/testkit';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { usageOf } from '../measuring/process-usage.ts';
import { type WholeSystem, built, freePorts, startWholeSystem } from '../start/whole-system.ts';
import { type Learner, learnersOf } from './learners.ts';
import { type SchoolSize, progress, writeSchool } from './school-data.ts';

/** A system that serves one large school. */
export interface LargeSchool {
  readonly url: string;
  readonly pid: number;
  /** Of the owner. */
  readonly token: string;
  readonly learners: readonly Learner[];
}

/** People who write while it is measured, and the enrollments of each. */
const [people, enrollmentsOfEach] = [32, 4];

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const count = (value: number): string => value.toLocaleString('en');
const secondsSince = (began: number): string => `${((performance.now() - began) / 1_000).toFixed(1)} s`;

/** Makes a large school of a demo school, and starts the system over it; it ends with this process. */
export async function openLargeSchool(size: SchoolSize): Promise<LargeSchool> {
  await built();
  const [folder, ports, rootKey] = [
    await mkdtemp(join(tmpdir(), 'lyceum-school-')),
    await freePorts(),
    randomBytes(32),
  ];
  const running: WholeSystem[] = [];
  process.once('exit', () => {
    for (const { child } of running) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const [operatorToken, password] = [randomBytes(32).toString('hex'), 'lanterns over the quay at night'];
  const settings = {
    KEY_ENCRYPTION_KEY: rootKey.toString('base64'),
    OPERATOR_TOKEN: operatorToken,
    DEMO_PASSWORD: password,
    RATE_LIMIT_FACTOR: '999999',
  };
  await (await startWholeSystem(folder, ports, settings)).stop();
  const id = demoSchoolId('lantern-craft');
  const began = performance.now();
  await writeSchool(folder, rootKey, id, size);
  const written = `${count(size.courses)} courses, ${count(size.members)} members, ${count(size.members * progress)} events of progress`;
  say(`one school: ${written}; written in ${secondsSince(began)}`);
  const started = performance.now();
  const system = await startWholeSystem(folder, ports, settings);
  running.push(system);
  say(`ready ${secondsSince(started)} after its start over what it had not read, ${await resident(system)}`);
  await untilCaughtUp(system.operatorUrl, operatorToken);
  say(
    `nothing waits any more in read models and consumers ${secondsSince(started)} after its start, ${await resident(system)}`,
  );
  const { child, url, operatorUrl, pid } = system;
  const learners = await learnersOf({ id, url, operatorUrl, operatorToken }, people, enrollmentsOfEach);
  const client = await Client.register(url);
  const owner = await client.tokens('owner@lantern.test', password, 'openid courses:read students:read');
  child.unref();
  return { url, pid, token: owner.access_token, learners };
}

const resident = async ({ pid }: WholeSystem): Promise<string> =>
  `${Math.round((await usageOf(pid)).megabytes)} MB resident`;

interface Lagging {
  readonly lag: number | null;
}

/** What the operator is told of readers: of commits, or of integration events. */
interface Report extends Partial<Lagging> {
  readonly lanes?: readonly Lagging[];
  readonly relay?: Lagging | null;
}

const lagsOf = ({ lag = 0, lanes = [], relay }: Report): readonly (number | null)[] => [
  lag,
  ...lanes.map((lane) => lane.lag),
  relay?.lag ?? 0,
];

/** Waits until no reader of any log of the system is behind. */
async function untilCaughtUp(operatorUrl: string, token: string): Promise<void> {
  for (;;) {
    const reports: Report[] = [];
    for (const kind of ['lanes', 'projections', 'consumers'])
      reports.push(...(await call(`${operatorUrl}/internal/${kind}`, { token })).body.data);
    if (reports.flatMap(lagsOf).every((lag) => lag === 0)) return;
    await delay(500);
  }
}
