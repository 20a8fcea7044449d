import { type PreparedSplit, availability, prepareSplit } from '@lyceum/testkit';
import { setTimeout as delay } from 'node:timers/promises';
import { type Case, PeerMissing, type Round } from '../measuring/case.ts';
import { usageOf, usageTogether } from '../measuring/process-usage.ts';
import { built } from '../start/whole-system.ts';
import { provisionSchools } from './provisioning.ts';

/** Schools of an installation beside the two of the demo. */
const usual = [0, 10_000];
const largest = 100_000;

/** Milliseconds after which memory is read: what a start works out once is done then. */
const settled = 10_000;

/** Microseconds of processor time in a second, of all processes together, with which nothing is left to do. */
const atRest = 600_000;

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const count = (value: number): string => value.toLocaleString('en');

async function engineOf(kind: 'kafka' | 'redis') {
  const [engine] = (await availability(kind)).engines;
  if (!engine) throw new PeerMissing(`there is no ${kind}: npm run engines`);
  return engine;
}

/**
 * Each service as a process of its own over Kafka and Redis, with its data in files: a MongoDB-wire server of this machine
 * takes five schools a second, and ever fewer, and what a process holds in memory does not depend on it.
 */
async function prepare(): Promise<{ readonly system: PreparedSplit; stop(): Promise<void> }> {
  await built();
  const [kafka, redis] = [await engineOf('kafka'), await engineOf('redis')];
  const servers = [await kafka.start(), await redis.start()] as const;
  const engines = { kafka: servers[0].url, redis: servers[1].url };
  const system = await prepareSplit({ engines, wholeServices: true, env: { LANES: '16' }, nodeArgs: [] });
  return {
    system,
    async stop() {
      await system.stop();
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

const usages = async ({ processes }: PreparedSplit) =>
  Promise.all([...processes.values()].map(async ({ name, pid }) => ({ name, ...(await usageOf(pid!)) })));

/** Waits until everybody has heard of everything. */
async function rest(system: PreparedSplit): Promise<void> {
  for (let before = usageTogether(await usages(system)).cpu; ;) {
    await delay(2_000);
    const { cpu } = usageTogether(await usages(system));
    if ((cpu - before) / 2 < atRest) return;
    before = cpu;
  }
}

async function launch(system: PreparedSplit): Promise<void> {
  const all = [...system.processes.values()];
  for (const each of all) each.launch();
  await Promise.all(all.map((each) => each.ready(600_000)));
}

/** Provisions schools by the operator's API, and ends all processes when everybody has heard of them. */
async function provision(system: PreparedSplit, schools: number): Promise<void> {
  await launch(system);
  await system.complete();
  const began = performance.now();
  await provisionSchools(system, system.operatorToken, schools);
  const seconds = (performance.now() - began) / 1_000;
  await rest(system);
  if (schools > 0) say(`${count(schools)} schools: ${(schools / seconds).toFixed(0)}/s`);
  for (const { name, megabytes } of await usages(system)) say(`  ${name}: ${megabytes.toFixed(0)} MB`);
  await end(system);
}

const end = async ({ processes }: PreparedSplit): Promise<void> =>
  void (await Promise.all([...processes.values()].map((each) => each.end('SIGTERM'))));

/** Starts all processes at once over their schools, and tells what each holds. */
async function start(system: PreparedSplit): Promise<Round> {
  const began = performance.now();
  await launch(system);
  const milliseconds = performance.now() - began;
  await delay(settled);
  const each = await usages(system);
  say(`all ready in ${(milliseconds / 1_000).toFixed(1)} s`);
  for (const { name, megabytes, cpu } of each)
    say(`  ${name}: ${megabytes.toFixed(0)} MB, ${(cpu / 1e6).toFixed(1)} s of processor time`);
  await end(system);
  return { operations: 1, latencies: [milliseconds], server: { milliseconds, ...usageTogether(each) } };
}

/** What each process of separate services holds of schools that nobody uses, and what its start costs. */
export const schoolProcessesCases = (isLong: boolean): readonly Case[] =>
  [...usual, ...(isLong ? [largest] : [])].map((schools) => ({
    name: `separate services over ${count(schools + 2)} schools`,
    unit: 'starts',
    sides: [
      {
        name: 'all of them, started at once',
        async open() {
          const { system, stop } = await prepare();
          await provision(system, schools);
          return { round: () => start(system), close: stop };
        },
      },
    ],
  }));
