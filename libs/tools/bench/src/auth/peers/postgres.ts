import { freePort, localPostgres, postgresUser, preparePostgres } from '@lyceum/testkit';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PeerMissing } from '../../measuring/case.ts';
import { startPeer } from '../../measuring/peer-program.ts';
import type { Usage } from '../../measuring/process-usage.ts';

/** A PostgreSQL of its own, and what its processes have used. */
export interface CountedPostgres {
  readonly url: string;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

/** The newest of the distribution, with every commit on disk before it is answered. */
export async function startCountedPostgres(): Promise<CountedPostgres> {
  const postgres = localPostgres();
  if (!postgres) throw new PeerMissing('PostgreSQL is not installed: npm run engines -- postgresql');
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-postgres-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const { command, args, port } = await preparePostgres(postgres, folder, await freePort(), true);
    const ask = join(postgres.programs, 'pg_isready');
    const isReady = () =>
      promisify(execFile)(ask, ['-q', '-h', '127.0.0.1', '-p', String(port)]).then(
        () => true,
        () => false,
      );
    const { usage, stop } = await startPeer({ name: 'postgresql', command, args, folder, isReady });
    const url = `postgres://${postgresUser}@127.0.0.1:${port}/postgres?sslmode=disable`;
    return { url, usage, stop: () => stop().then(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}
