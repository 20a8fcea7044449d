import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Pool } from 'undici';
import type { Case, Goal, Side } from '../measuring/case.ts';
import { preheat } from '../measuring/preheat.ts';
import { requestRound } from '../measuring/request-round.ts';
import type { Endpoint } from './api-server.ts';

/** Connections that ask side by side. */
const connections = 16;

const side = (name: string, kind: 'service' | 'koa', goal?: Goal): Side => ({
  name,
  ...(goal && { goal }),
  async open() {
    const child = fork(join(import.meta.dirname, 'api-server.js'), [kind], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [{ url, headers }] = (await once(child, 'message')) as [Endpoint];
    const { origin, pathname: path } = new URL(url);
    const pool = new Pool(origin, { connections, pipelining: 1 });
    const ask = async (): Promise<void> => {
      const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${name} answered ${statusCode}`);
    };
    const round = (milliseconds: number) => requestRound(child.pid!, connections, milliseconds, ask);
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
