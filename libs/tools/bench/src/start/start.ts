import { freePort } from '@lyceum/testkit';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Case, PeerMissing, type Round, type Running } from '../measuring/case.ts';
import { usageOf } from '../measuring/process-usage.ts';

const main = join(import.meta.dirname, '../../../../../services/all-in-one/dist/main.js');

/** Milliseconds between two looks at whether the process is ready. */
const pause = 10;

/** Starts the whole system on a data folder, waits until it is ready, and stops it. */
async function start(folder: string): Promise<Round> {
  await mkdir(folder, { recursive: true });
  const [port, operatorPort] = [await freePort(), await freePort()];
  const env = { ...process.env, DATA_DIR: folder, PORT: String(port), OPERATOR_PORT: String(operatorPort) };
  const began = performance.now();
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  await untilReady(child, `http://127.0.0.1:${port}/readyz`);
  const milliseconds = performance.now() - began;
  const { cpu } = await usageOf(child.pid!);
  const server = { milliseconds, cpu, megabytes: await mostMegabytes(child.pid!) };
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
  return { operations: 1, latencies: [milliseconds], server };
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the process ended with ${child.exitCode} before it was ready`);
    const status = await fetch(url).then(
      (response) => response.status,
      () => undefined,
    );
    if (status === 200) return;
    await delay(pause);
  }
}

/** The most resident memory that a process has had, as Linux tells. */
async function mostMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return (Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1_024) / 1e6;
}

const built = (): Promise<void> =>
  access(main).catch(() => {
    throw new PeerMissing('the system is not built: npm run build');
  });

const startOn = (name: string, open: (folder: string) => Promise<Running>): Case => ({
  name,
  unit: 'starts',
  sides: [{ name: 'the whole system', open }],
  goals: { p50: 2_000 },
});

const close = (): Promise<void> => Promise.resolve();

/** From the start of one process on the embedded engine to its first `/readyz` that is 200; RSS is the most until then. */
export const startCases: readonly Case[] = [
  startOn('a start on an empty data folder, with the demo', async (folder) => {
    await built();
    let starts = 0;
    return { round: () => start(join(folder, String((starts += 1)))), close };
  }),
  startOn('a start on the data folder of the start before', async (folder) => {
    await built();
    return { round: () => start(folder), close };
  }),
];
