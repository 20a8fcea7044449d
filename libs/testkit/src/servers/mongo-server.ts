import { join } from 'node:path';
import { freePort } from '../system.ts';
import { cachedEngine, engineVersions } from './engine-cache.ts';
import type { LocalSetup } from './local-server.ts';
import { pingMongo } from './wire-ping.ts';

/** The MongoDB-wire servers that this machine can run as processes: FerretDB on SQLite. */
export function localMongoServers(): readonly (LocalSetup & { readonly version: string })[] {
  return engineVersions.ferretdb.flatMap((version) => {
    const folder = cachedEngine('ferretdb', version);
    return folder ? [{ ...ferretdb(join(folder, 'ferretdb'), version), version }] : [];
  });
}

function ferretdb(binary: string, version: string): LocalSetup {
  return {
    kind: 'mongodb',
    title: `FerretDB ${version}`,
    async prepare(folder) {
      const port = await freePort();
      const args = [
        `--listen-addr=127.0.0.1:${port}`,
        '--handler=sqlite',
        `--sqlite-url=file:${folder}/`,
        `--state-dir=${folder}`,
        '--debug-addr=-',
        '--telemetry=disable',
        '--log-level=warn',
      ];
      return [{ port, command: binary, args }];
    },
    url: ([program]) => `mongodb://127.0.0.1:${program!.port}/`,
    ping: ({ port }) => pingMongo(port),
  };
}
