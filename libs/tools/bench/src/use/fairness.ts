import { Client } from '@lyceum/testkit';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Case, Running, Side } from '../measuring/case.ts';
import { usageOf } from '../measuring/process-usage.ts';
import { callers } from '../measuring/workload.ts';
import { type WholeSystem, built, freePorts, startWholeSystem } from '../start/whole-system.ts';
import { anyCourse, dayOf, scope } from './day.ts';

/** Connections over which one school asks as fast as it is answered. */
const busy = 64;
/** People of another school, and the milliseconds that each rests after a request. */
const [people, rest] = [4, 20];
/** Milliseconds of a round at least: the slowest percent of fewer requests says nothing. */
const shortest = 3_000;
/** Milliseconds of full load before anything is measured. */
const preheating = 15_000;

/** Asks for a course of the first demo school and changes it, in turns, until it is ended. */
async function fullLoad({ url }: WholeSystem, password: string): Promise<() => Promise<void>> {
  const client = await Client.register(url);
  let tokens = await client.tokens('owner@lantern.test', password, scope);
  const path = `/api/courses/${await anyCourse(url)}`;
  const pool = new Pool(url, { connections: busy, pipelining: 1 });
  const ending = new AbortController();
  const one = async (index: number): Promise<void> => {
    for (let turn = index; !ending.signal.aborted; turn += 1) {
      const headers = { authorization: `Bearer ${tokens.access_token}`, 'content-type': 'application/json' };
      const asked =
        turn % 2 === 0
          ? pool.request({ method: 'GET', path, headers })
          : pool.request({ method: 'PATCH', path, headers, body: JSON.stringify({ subtitle: `Turn ${turn}` }) });
      const { statusCode, body } = await asked;
      await body.dump();
      // Refusals cost less than what is done: they are no load.
      if (statusCode !== 200) throw new Error(`the school at full load was answered ${statusCode}`);
    }
  };
  const freshTokens = setInterval(() => {
    void client.refresh(tokens.refresh_token).then(({ body }) => (tokens = body));
  }, 60_000);
  const asking = Array.from({ length: busy }, (_, index) => one(index));
  return async () => {
    ending.abort();
    clearInterval(freshTokens);
    await Promise.all(asking);
    await pool.close();
  };
}

/** People of the second demo school, on the lane of the first one. */
async function open(folder: string, isBeside: boolean): Promise<Running> {
  await built();
  const [password, ports] = [randomBytes(16).toString('hex'), await freePorts()];
  const settings = { DEMO_PASSWORD: password, RATE_LIMIT_FACTOR: '999999', LANES: '1' };
  const system = await startWholeSystem(join(folder, 'data'), ports, settings);
  const url = `http://northquay.localhost:${ports.port}`;
  const days = Array.from({ length: people }, () => dayOf(url, 'owner@northquay.test', password));
  const endLoad = await fullLoad(system, password);
  // Both sides are measured on code that is compiled.
  await delay(preheating);
  if (!isBeside) await endLoad();
  return {
    async round(milliseconds) {
      const before = await usageOf(system.pid);
      const [began, waiting] = [performance.now(), [...days]];
      const latencies: number[] = [];
      await callers(people, Math.max(milliseconds, shortest), async () => {
        const day = waiting.shift()!;
        const asked = performance.now();
        await day.next();
        latencies.push(performance.now() - asked);
        await delay(rest);
        waiting.push(day);
      });
      const { cpu, megabytes } = await usageOf(system.pid);
      const server = { milliseconds: performance.now() - began, cpu: cpu - before.cpu, megabytes };
      return { operations: latencies.length, latencies, server };
    },
    async close() {
      if (isBeside) await endLoad();
      await system.stop();
    },
  };
}

const alone: Side = { name: 'alone', open: (folder) => open(folder, false), goal: { p99AtMost: 2 } };

/** What people of a school notice of another one that asks as fast as it is answered, in one process and on one lane. */
export const fairnessCases: readonly Case[] = [
  {
    name: `${people} people of a school who rest ${rest} ms after each request`,
    unit: 'requests',
    sides: [
      { name: `beside a school with ${busy} connections at full load`, open: (folder) => open(folder, true) },
      alone,
    ],
  },
];
