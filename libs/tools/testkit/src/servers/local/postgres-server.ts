import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Program } from './local-server.ts';

/** Where Debian keeps the versions of PostgreSQL, beside each other. */
const installed = '/usr/lib/postgresql';
/** The user of the database, who needs no password on loopback. */
export const postgresUser = 'lyceum';
/** `nobody` and `nogroup` of the system: the server refuses to run as root. */
const nobody = 65_534;

/** The newest PostgreSQL of the distribution on this machine. */
export interface Postgres {
  readonly version: string;
  /** The folder of its programs. */
  readonly programs: string;
}

export function localPostgres(): Postgres | undefined {
  const versions = existsSync(installed) ? readdirSync(installed) : [];
  const found = versions.filter((version) => existsSync(join(installed, version, 'bin/initdb')));
  const version = found.toSorted((one, other) => Number(one) - Number(other)).at(-1);
  return version === undefined ? undefined : { version, programs: join(installed, version, 'bin') };
}

/**
 * A new store in the folder, and the server on it. It is killed by tests, never the machine under it: no fsync, unless durable,
 * where each commit is on disk before its answer.
 */
export async function preparePostgres(
  { programs }: Postgres,
  folder: string,
  port: number,
  durable = false,
): Promise<Program> {
  const data = join(folder, 'postgresql');
  await mkdir(data, { mode: 0o700 });
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    await chmod(folder, 0o711);
    await chown(data, nobody, nobody);
  }
  const asUser = isRoot ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : ['env'];
  const [command, ...args] = asUser as [string, ...string[]];
  const options = ['--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions'];
  const create = [join(programs, 'initdb'), `--pgdata=${data}`, `--username=${postgresUser}`, ...options];
  await promisify(execFile)(command, [...args, ...create], { cwd: folder });
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    dynamic_shared_memory_type: 'mmap',
    fsync: durable ? 'on' : 'off',
    jit: 'off',
    max_connections: '300',
    log_min_messages: 'fatal',
    log_min_error_statement: 'panic',
  };
  const set = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const serve = [join(programs, 'postgres'), '-D', data, '-p', String(port), ...set];
  return { port, command, args: [...args, ...serve], again: 50, quit: 'SIGQUIT' };
}
