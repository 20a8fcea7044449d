import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Case, Round } from '../measuring/case.ts';
import { usageOf } from '../measuring/process-usage.ts';
import { type Ports, built, freePorts, startWholeSystem } from '../start/whole-system.ts';
import { provisionSchools, sizeOf } from './provisioning.ts';

/** Schools of an installation beside the two of the demo. */
const usual = [0, 1_000, 10_000];
const largest = 100_000;

/** Milliseconds after which the memory of a process is read: what a start works out once is done then. */
const settled = 5_000;

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const count = (value: number): string => value.toLocaleString('en');

/** Provisions schools into an empty data folder, and says what that took and what it left on disk. */
async function provision(folder: string, ports: Ports, schools: number): Promise<void> {
  const token = randomBytes(32).toString('hex');
  const system = await startWholeSystem(folder, ports, { OPERATOR_TOKEN: token });
  const [before, began] = [await usageOf(system.pid), performance.now()];
  await provisionSchools(system, token, schools);
  const seconds = (performance.now() - began) / 1_000;
  await delay(settled);
  const { cpu, megabytes } = await usageOf(system.pid);
  await system.stop();
  const each = schools === 0 ? '' : `, ${((cpu - before.cpu) / 1_000 / schools).toFixed(1)} ms of processor time each`;
  const disk = ((await sizeOf(folder)) / 1e6).toFixed(1);
  say(
    `${count(schools)} schools: ${(schools / seconds).toFixed(0)}/s${each}; ${megabytes.toFixed(0)} MB resident, ${disk} MB on disk`,
  );
}

/** Starts the whole system over its schools. The time is until it is ready; memory is read later, and is told at once, too. */
async function start(folder: string, ports: Ports): Promise<Round> {
  const began = performance.now();
  const system = await startWholeSystem(folder, ports);
  const milliseconds = performance.now() - began;
  const ready = await usageOf(system.pid);
  await delay(settled);
  const { megabytes } = await usageOf(system.pid);
  await system.stop();
  say(
    `ready in ${(milliseconds / 1_000).toFixed(2)} s with ${ready.megabytes.toFixed(0)} MB, ${megabytes.toFixed(0)} MB later`,
  );
  return { operations: 1, latencies: [milliseconds], server: { milliseconds, cpu: ready.cpu, megabytes } };
}

/** What schools cost that nobody uses: to be provisioned by the operator, on disk, and at a start of one process. */
export const schoolsCases = (isLong: boolean): readonly Case[] =>
  [...usual, ...(isLong ? [largest] : [])].map((schools) => ({
    name: `a start over ${count(schools + 2)} schools`,
    unit: 'starts',
    goals: { p50: 2_500, megabytes: 250 },
    sides: [
      {
        name: 'the whole system',
        async open(folder) {
          await built();
          const [data, ports] = [join(folder, 'data'), await freePorts()];
          await provision(data, ports, schools);
          return { round: () => start(data, ports), close: () => Promise.resolve() };
        },
      },
    ],
  }));
