import { beforeAll, expect } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compiled } from '../callers/compiled.ts';
import { type Plan, surviveKills } from './survive-kills.ts';

/** Kills at each point; the long run sets another number. */
const kills = Number(process.env['CRASH_KILLS'] ?? 20);

/** Milliseconds that one point may take. */
export const patience = 60_000 + kills * 3_000;

/** Compiles what the processes run, before the first test of a suite. */
export const compiledFirst = (): void => beforeAll(compiled, 120_000);

/** Kills of processes whose engines are servers: each run waits for them. */
export const fewKills = Math.max(2, Math.round(kills / 50));

/** Milliseconds after which a process is ended that does not end by itself. */
const longestRun = 30_000;

/** Runs a script in a process of its own until it ends: the signal that ended it, or its exit code. */
export async function endOf(script: string, ...more: readonly string[]): Promise<string | number | null> {
  const child = spawn(process.execPath, [script, ...more], { env: {}, stdio: ['ignore', 'ignore', 'inherit'] });
  const watchdog = setTimeout(() => child.kill('SIGTERM'), longestRun);
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  clearTimeout(watchdog);
  return signal ?? code;
}

/** Lets processes die at a point. Nothing may be lost, doubled, out of order or skipped. */
export async function survived(point: Plan['point'], passages: number, more: Partial<Plan> = {}) {
  const plan = { point, kills, passages, seed: String(Date.now()), ...more };
  const result = await surviveKills(plan);
  expect(result.faults).toEqual([]);
  expect(result.kills).toBe(plan.kills);
  expect(result.acknowledged).toBeGreaterThan(plan.kills / 5);
  return result;
}
