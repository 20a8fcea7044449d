import { beforeAll, expect } from '@jest/globals';
import { compiled } from './compiled.ts';
import { type Plan, surviveKills } from './lives.ts';

/** Kills at each point; the long run sets another number. */
const kills = Number(process.env['CRASH_KILLS'] ?? 20);

/** Milliseconds that one point may take. */
export const patience = 60_000 + kills * 3_000;

/** Compiles what the processes run, before the first test of a suite. */
export const compiledFirst = (): void => beforeAll(compiled, 120_000);

/** Kills of processes whose engines are servers: each life waits for them. */
export const fewKills = Math.max(2, Math.round(kills / 50));

/** Lets processes die at a point. Nothing may be lost, doubled, out of order or skipped. */
export async function survived(point: Plan['point'], passages: number, more: Partial<Plan> = {}) {
  const plan = { point, kills, passages, seed: String(Date.now()), ...more };
  const result = await surviveKills(plan);
  expect(result.faults).toEqual([]);
  expect(result.kills).toBe(plan.kills);
  expect(result.acknowledged).toBeGreaterThan(plan.kills / 5);
  return result;
}
