import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Pool } from 'undici';
import type { Case, Goal, Side } from '../measuring/case.ts';
import { preheat } from '../measuring/preheat.ts';
import { usageOf } from '../measuring/process-usage.ts';
import { callers } from '../measuring/workload.ts';
import type { Told } from './api-server.ts';

/** Connections that ask side by side. */
const connections = 16;

const side = (name: string, kind: 'service' | 'koa', goal?: Goal): Side => ({
  name,
  ...(goal && { goal }),
  async open() {
    const child = fork(join(import.meta.dirname, 'api-server.js'), [kind], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [{ url, headers }] = (await once(child, 'message')) as [Told];
    const { origin, pathname: path } = new URL(url);
    const pool = new Pool(origin, { connections, pipelining: 1 });
    const ask = async (): Promise<void> => {
      const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${name} answered ${statusCode}`);
    };
    const round = async (milliseconds: number) => {
      const [before, began] = [await usageOf(child.pid!), performance.now()];
      const latencies = await callers(connections, milliseconds, ask);
      const took = performance.now() - began;
      const after = await usageOf(child.pid!);
      const server = { milliseconds: took, cpu: after.cpu - before.cpu, megabytes: after.megabytes };
      return { operations: latencies.length, latencies, server };
    };
    await preheat(round);
    return {
      round,
      async close() {
        await pool.destroy();
        const gone = once(child, 'exit');
        child.kill('SIGKILL');
        await gone;
      },
    };
  },
});

/** What a service adds to the HTTP stack that it stands on: token, scope, role, fold, reply filter, log line. */
export const apiCases: readonly Case[] = [
  {
    name: 'a course read with an access token',
    unit: 'requests',
    sides: [
      side('the catalogue', 'service'),
      side('Koa and @koa/router alone', 'koa', { atLeast: 0.6, per: 'CPU second' }),
    ],
  },
];
