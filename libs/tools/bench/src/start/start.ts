import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Case, Round, Running } from '../measuring/case.ts';
import { usageOf } from '../measuring/process-usage.ts';
import { built, freePorts, startWholeSystem } from './whole-system.ts';

const close = (): Promise<void> => Promise.resolve();

/** Where the demo says that it is complete. */
const completeIn = (folder: string): string => join(folder, 'demo-complete');

async function untilComplete(folder: string): Promise<void> {
  for (;;) {
    const isThere = await access(completeIn(folder)).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await delay(20);
  }
}

/** Starts the whole system on a data folder, waits until it is ready, or the demo complete, and stops it. */
async function start(folder: string, until: 'ready' | 'complete'): Promise<Round> {
  const ports = await freePorts();
  const began = performance.now();
  const system = await startWholeSystem(folder, ports, { DEMO_HISTORY: 'true' });
  if (until === 'complete') await untilComplete(folder);
  const milliseconds = performance.now() - began;
  const { cpu } = await usageOf(system.pid);
  const server = { milliseconds, cpu, megabytes: await mostMegabytes(system.pid) };
  await system.stop();
  return { operations: 1, latencies: [milliseconds], server };
}

/** The most resident memory that a process has had, as Linux tells. */
async function mostMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return (Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1_024) / 1e6;
}

const startOn = (name: string, open: (folder: string) => Promise<Running>, goal = 2_000): Case => ({
  name,
  unit: 'starts',
  sides: [{ name: 'the whole system', open }],
  goals: { p50: goal },
});

/** Every round on a folder of its own. */
const onEmptyFolders = (until: 'ready' | 'complete') => async (folder: string) => {
  await built();
  let starts = 0;
  return { round: () => start(join(folder, String((starts += 1))), until), close };
};

/** From the start of one process on the embedded engine to its first `/readyz` that is 200; RSS is the most until then. */
export const startCases: readonly Case[] = [
  startOn('a start on an empty data folder, with the demo', onEmptyFolders('ready')),
  startOn('the same until the history of the demo is complete', onEmptyFolders('complete'), 15_000),
  startOn('a start on the data folder of the start before', async (folder) => {
    await built();
    await start(folder, 'complete');
    return { round: () => start(folder, 'ready'), close };
  }),
];
