import { join } from 'node:path';
import { freePort } from '../../system/system.ts';
import { cachedEngine, engineVersions } from './engine-cache.ts';
import type { LocalSetup, Program } from './local-server.ts';
import { localPostgres, postgresUser, preparePostgres } from './postgres-server.ts';
import { pingMongo, pingPostgres } from '../wire-ping.ts';

type Setup = LocalSetup & { readonly version: string };

/** The MongoDB-wire servers that this machine can run as processes: FerretDB on SQLite. */
export const localMongoServers = (): readonly Setup[] =>
  installed().map(({ binary, version }) => ({
    kind: 'mongodb',
    title: `FerretDB ${version}`,
    version,
    async prepare(folder) {
      const port = await freePort();
      return [ferretdb(binary, port, folder, ['--handler=sqlite', `--sqlite-url=file:${folder}/`])];
    },
    url: ([program]) => `mongodb://127.0.0.1:${program!.port}/`,
    ping: ({ port }) => pingMongo(port),
  }));

/** FerretDB on PostgreSQL, whose indexes are unique and serve reads: it is used as a MongoDB is. */
export function localIndexedMongoServers(): readonly Setup[] {
  const postgres = localPostgres();
  if (!postgres) return [];
  return installed().map(({ binary, version }) => ({
    kind: 'mongodb-indexed',
    title: `FerretDB ${version} on PostgreSQL ${postgres.version}`,
    version,
    usedAs: 'standalone',
    async prepare(folder) {
      const [port, below] = [await freePort(), await freePort()];
      const url = `postgres://${postgresUser}@127.0.0.1:${below}/postgres?pool_max_conns=190`;
      const server = ferretdb(binary, port, folder, ['--handler=postgresql', `--postgresql-url=${url}`]);
      return [server, await preparePostgres(postgres, folder, below)];
    },
    url: ([program]) => `mongodb://127.0.0.1:${program!.port}/`,
    ping: ({ port, quit }) => (quit ? pingPostgres(port, postgresUser) : pingMongo(port)),
  }));
}

const installed = () =>
  engineVersions.ferretdb.flatMap((version) => {
    const folder = cachedEngine('ferretdb', version);
    return folder ? [{ binary: join(folder, 'ferretdb'), version }] : [];
  });

const ferretdb = (command: string, port: number, folder: string, backend: readonly string[]): Program => ({
  port,
  command,
  args: [
    `--listen-addr=127.0.0.1:${port}`,
    ...backend,
    `--state-dir=${folder}`,
    '--debug-addr=-',
    '--telemetry=disable',
    '--log-level=warn',
  ],
});
