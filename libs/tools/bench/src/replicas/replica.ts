import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '@lyceum/testkit';
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PeerMissing } from '../measuring/case.ts';
import { limitProcessor } from '../start/processor-share.ts';

const root = join(import.meta.dirname, '../../../../..');
const main = join(root, 'services/catalog/dist/main.js');

/** Throws `PeerMissing` when there is no build of the service. */
export const built = (): Promise<void> =>
  access(main).catch(() => {
    throw new PeerMissing('the catalogue is not built: npm run build');
  });

/** One process of the catalogue. */
export interface Replica {
  readonly pid: number;
  /** Bounds its processor time. */
  bound(share: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a process of the catalogue. It projects and publishes, and is never asked: its neighbours are away. */
export async function startReplica(folder: string, settings: Readonly<Record<string, string>>): Promise<Replica> {
  await mkdir(folder, { recursive: true });
  const ports = { PORT: String(await freePort()), OPERATOR_PORT: String(await freePort()) };
  const env = { PATH: process.env['PATH'], ...settings, ...ports, DATA_DIR: folder };
  const child = spawn(process.execPath, [main], { env, stdio: 'ignore' });
  let release: (() => Promise<void>) | undefined;
  return {
    pid: child.pid!,
    async bound(share) {
      release = await limitProcessor(child.pid!, share);
    },
    async stop() {
      await ended(child);
      await release?.();
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
