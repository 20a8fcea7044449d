import { mkdir } from 'node:fs/promises';
import { Pool } from 'undici';
import type { Case, Goal, Side } from '../measuring/case.ts';
import { type MeasuredServer, openEdge, openHttpProxy, openNginx, openService } from './measured-servers.ts';
import { requestRound } from '../measuring/request-round.ts';
import { callers } from '../measuring/workload.ts';

/** What browsers and clients send, of which a proxy passes most on. */
const headers = {
  accept: 'application/json',
  'user-agent': 'measurement/1.0',
  'accept-language': 'en-GB,en;q=0.9',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
};

/** Requests, and milliseconds at most, before those that count. */
const [preheating, longestPreheating] = [8_000, 12_000];

const side = (
  name: string,
  connections: number,
  open: (service: string, folder: string) => Promise<MeasuredServer>,
  about: string,
  goal?: Goal,
): Side => ({
  name,
  about,
  ...(goal && { goal }),
  async open(folder) {
    await mkdir(folder, { recursive: true });
    const service = await openService();
    const measured = await open(service.url, folder).catch(async (error: unknown) => {
      await service.close();
      throw error;
    });
    const pool = new Pool(measured.url, { connections, pipelining: 1 });
    const ask = async (): Promise<void> => {
      const { statusCode, body } = await pool.request({ method: 'GET', path: '/api/courses?limit=20', headers });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${name} answered ${statusCode}`);
    };
    // A server that was just started spends most of its processor time on compiling what it does often.
    let asked = 0;
    await callers(connections, longestPreheating, async () => (asked += 1) < preheating && ask());
    return {
      round: (milliseconds) => requestRound(measured.pid, connections, milliseconds, ask),
      async close() {
        await pool.destroy();
        await measured.close();
        await service.close();
      },
    };
  },
});

const edge = (connections: number, limits: 'limits' | 'passing'): Side =>
  side(
    `ours, ${limits === 'limits' ? 'counting requests' : 'passing'}`,
    connections,
    (service) => openEdge(service, limits),
    `The edge of the gateway in one process: host to school, path to service, request ids, headers that others may not set${limits === 'limits' ? ', requests counted for each address' : ''}.`,
  );
const nginx = (connections: number, atLeast?: number): Side =>
  side(
    'nginx, one worker',
    connections,
    openNginx,
    'One process with one worker and kept connections. It passes requests on with a request id and logs nothing: it knows no schools, no services, no limits.',
    atLeast === undefined ? undefined : { atLeast, per: 'CPU second' },
  );
const httpProxy = (connections: number): Side =>
  side('http-proxy', connections, openHttpProxy, 'The npm package in one process: it passes requests on.', {
    atLeast: 1.5,
    per: 'CPU second',
  });
/** No proxy: the service itself is asked, and measured. */
const nobody = (connections: number, addsAtMost: number): Side =>
  side('no proxy', connections, () => openService(), 'The service itself.', { addsAtMost });

/** The edge beside other proxies in front of the same service, each with a service of its own. */
export const gatewayCases: readonly Case[] = [
  {
    name: 'gateway, 64 connections',
    unit: 'requests',
    sides: [edge(64, 'passing'), nginx(64, 0.3), httpProxy(64)],
  },
  {
    name: 'gateway, 64 connections, with limits',
    unit: 'requests',
    sides: [edge(64, 'limits'), nginx(64, 0.28)],
  },
  {
    name: 'gateway, one connection',
    unit: 'requests',
    sides: [edge(1, 'limits'), nobody(1, 0.2), nginx(1)],
  },
];
