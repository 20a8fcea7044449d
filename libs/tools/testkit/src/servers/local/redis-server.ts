import { execFile, execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../system/system.ts';
import { programOnPath } from './engine-cache.ts';
import type { LocalSetup, Program } from './local-server.ts';
import { pingRedis, pingRedisCluster } from '../wire-ping.ts';

const run = promisify(execFile);

/** The Redis server of this machine as a process of its own; every write is on disk before it is answered. */
export function localRedisServers(kind: 'redis' | 'redis-cluster'): readonly (LocalSetup & { version: string })[] {
  const binary = programOnPath('redis-server');
  if (!binary) return [];
  const version = /v=([\d.]+)/.exec(execFileSync(binary, ['--version'], { encoding: 'utf8' }))?.[1] ?? '';
  return [{ ...(kind === 'redis' ? single(binary, version) : cluster(binary, version)), version }];
}

function single(binary: string, version: string): LocalSetup {
  return {
    kind: 'redis',
    title: `Redis ${version}`,
    prepare: async (folder) => [await program(binary, join(folder, 'data'))],
    url: ([program]) => `redis://127.0.0.1:${program!.port}`,
    ping: ({ port }) => pingRedis(port),
  };
}

const masters = 3;

function cluster(binary: string, version: string): LocalSetup {
  return {
    kind: 'redis-cluster',
    title: `Redis Cluster ${version}`,
    prepare: (folder) => Promise.all(Array.from({ length: masters }, (_, node) => member(binary, folder, node))),
    url: (programs) => programs.map(({ port }) => `redis://127.0.0.1:${port}`).join(),
    ping: ({ port }) => pingRedis(port),
    async assemble(programs) {
      const nodes = programs.map(({ port }) => `127.0.0.1:${port}`);
      await run(binary.replace(/server$/, 'cli'), ['--cluster', 'create', ...nodes, '--cluster-yes']);
    },
    whole: async (programs) =>
      (await Promise.all(programs.map(({ port }) => pingRedisCluster(port, masters)))).every(Boolean),
  };
}

async function member(binary: string, folder: string, node: number): Promise<Program> {
  const extra = ['--cluster-enabled', 'yes', '--cluster-config-file', 'nodes.conf', '--cluster-node-timeout', '1000'];
  // The usual bus port is the port + 10000, which may not exist.
  return program(binary, join(folder, `data-${node}`), [...extra, '--cluster-port', String(await freePort())]);
}

async function program(binary: string, data: string, extra: readonly string[] = []): Promise<Program> {
  await mkdir(data);
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', data, '--save', '', '--appendonly', 'yes'];
  return { port, command: binary, args: [...args, '--appendfsync', 'always', '--loglevel', 'warning', ...extra] };
}
