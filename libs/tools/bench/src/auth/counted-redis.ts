import { freePort } from '@lyceum/testkit';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Usage } from '../measuring/process-usage.ts';
import { startPeer } from '../measuring/peer-program.ts';

/** A Redis server, and what its process has used where that is counted. */
export interface CountedRedis {
  readonly url: string;
  usage?(): Promise<Usage>;
  stop(): Promise<void>;
}

/** The Redis of this machine as a process of its own, with every write on disk before it is answered. */
export async function startCountedRedis(): Promise<CountedRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-redis-'));
  const port = await freePort();
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
  const args = [...place, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always', '--loglevel', 'warning'];
  const isReady = () => isListening(port);
  const program = await startPeer({ name: 'redis', command: 'redis-server', args, folder, isReady });
  const stop = async (): Promise<void> => {
    await program.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { url: `redis://127.0.0.1:${port}`, usage: program.usage, stop };
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const settle = (open: boolean) => (): void => {
      socket.destroy();
      resolve(open);
    };
    socket.on('connect', settle(true)).on('error', settle(false));
  });
