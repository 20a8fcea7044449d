import { Client, call } from '@lyceum/testkit';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Case, Round, Running, Side } from '../measuring/case.ts';
import { usageOf } from '../measuring/process-usage.ts';
import { callers } from '../measuring/workload.ts';
import { type WholeSystem, built, freePorts, startWholeSystem } from '../start/whole-system.ts';
import { dayOf, scope } from './day.ts';

/** Connections over which one school asks as fast as it is answered. */
const busy = 64;
/** People of another school, and the milliseconds that each rests after a request. */
const [people, rest] = [4, 20];
/** Milliseconds of a round at least: the slowest percent of fewer requests says nothing. */
const shortest = 3_000;
/** Milliseconds of full load before anything is measured, and between the beginning of the load and that of a round. */
const [preheating, settling] = [15_000, 500];

/** The courses of the school at full load: each connection has its own, so that none waits for another. */
async function coursesOf(url: string, token: string): Promise<readonly string[]> {
  const made = [];
  for (let index = 0; index < busy; index += 1) {
    const { status, body } = await call(`${url}/api/courses`, { token, json: { title: `Course ${index}` } });
    if (status !== 201) throw new Error(`a course of the school at full load was answered ${status}`);
    made.push(body.id);
  }
  return made;
}

/** Begins the load; what is given ends it, and throws when anything was refused: refusals cost less than what is done. */
type Load = () => () => Promise<void>;

/** Over each connection, asks for a course of the first demo school and changes it, in turns. */
async function fullLoad({ url }: WholeSystem, password: string): Promise<Load> {
  const client = await Client.register(url);
  const tokens = await client.tokens('owner@lantern.test', password, scope);
  const courses = await coursesOf(url, tokens.access_token);
  return () => {
    const pool = new Pool(url, { connections: busy, pipelining: 1 });
    const ending = new AbortController();
    const fresh = client.refresh(tokens.refresh_token).then(({ body }) => Object.assign(tokens, body));
    const one = async (course: string): Promise<void> => {
      await fresh;
      const [path, bearer] = [`/api/courses/${course}`, { authorization: `Bearer ${tokens.access_token}` }];
      const headers = { ...bearer, 'content-type': 'application/json' };
      for (let turn = 0; !ending.signal.aborted; turn += 1) {
        const asked =
          turn % 2 === 0
            ? pool.request({ method: 'GET', path, headers })
            : pool.request({ method: 'PATCH', path, headers, body: JSON.stringify({ subtitle: `Turn ${turn}` }) });
        const { statusCode, body } = await asked;
        await body.dump();
        if (statusCode !== 200) throw new Error(`the school at full load was answered ${statusCode}`);
      }
    };
    const asking = Promise.allSettled(courses.map(one));
    return async () => {
      ending.abort();
      const refused = (await asking).find((each) => each.status === 'rejected');
      await pool.close();
      if (refused) throw refused.reason;
    };
  };
}

/** People of the second demo school, on the lane of the first one. */
async function open(folder: string, isBeside: boolean): Promise<Running> {
  await built();
  const [password, ports] = [randomBytes(16).toString('hex'), await freePorts()];
  const settings = { DEMO_PASSWORD: password, RATE_LIMIT_FACTOR: '999999', LANES: '1' };
  const system = await startWholeSystem(join(folder, 'data'), ports, settings);
  try {
    const url = `http://northquay.localhost:${ports.port}`;
    const days = Array.from({ length: people }, () => dayOf(url, 'owner@northquay.test', password));
    const load = await fullLoad(system, password);
    // Both sides are measured on code that is compiled.
    const endPreheating = load();
    await delay(preheating);
    await endPreheating();
    const round = async (milliseconds: number): Promise<Round> => {
      const endLoad = isBeside ? load() : () => Promise.resolve();
      await delay(settling);
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
      }).finally(endLoad);
      const { cpu, megabytes } = await usageOf(system.pid);
      const server = { milliseconds: performance.now() - began, cpu: cpu - before.cpu, megabytes };
      return { operations: latencies.length, latencies, server };
    };
    return { round, close: () => system.stop() };
  } catch (error) {
    await system.stop();
    throw error;
  }
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
