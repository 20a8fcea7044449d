import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../system/system.ts';
import { cachedEngine, engineVersions } from './engine-cache.ts';
import type { LocalSetup, Program } from './local-server.ts';
import { pingHttp } from '../wire-ping.ts';

/** The one user of the servers under test; in their URLs, as `TEST_S3_URL` has its own. */
export const s3User = { name: 'lyceum', secret: 'secret-of-a-test-server' } as const;

/** The S3 servers that this machine can run as processes: Versity S3 Gateway on a folder. It checks signatures and checksums. */
export const localS3Servers = (): readonly (LocalSetup & { readonly version: string })[] =>
  engineVersions.versitygw.flatMap((version) => {
    const folder = cachedEngine('versitygw', version);
    return folder ? [{ ...setup(join(folder, 'versitygw'), version), version }] : [];
  });

const setup = (binary: string, version: string): LocalSetup => ({
  kind: 's3',
  title: `Versity S3 Gateway ${version}`,
  prepare: async (folder) => [await program(binary, folder)],
  url: ([program]) => `http://${s3User.name}:${s3User.secret}@127.0.0.1:${program!.port}`,
  ping: ({ port }) => pingHttp(port),
});

async function program(command: string, folder: string): Promise<Program> {
  const [objects, attributes] = [join(folder, 'objects'), join(folder, 'attributes')];
  await mkdir(objects);
  await mkdir(attributes);
  const port = await freePort();
  const access = ['--access', s3User.name, '--secret', s3User.secret];
  // Not every file system that a test writes to has extended attributes.
  const store = ['posix', '--sidecar', attributes, objects];
  return { port, command, args: ['--port', `127.0.0.1:${port}`, '--quiet', ...access, ...store] };
}
