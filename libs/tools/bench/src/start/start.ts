import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Case, Round, Running } from '../measuring/case.ts';
import { usageOf } from '../measuring/process-usage.ts';
import { built, freePorts, startWholeSystem } from './whole-system.ts';

/** Starts the whole system on a data folder, waits until it is ready, and stops it. */
async function start(folder: string): Promise<Round> {
  const ports = await freePorts();
  const began = performance.now();
  const system = await startWholeSystem(folder, ports);
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
