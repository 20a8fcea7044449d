import { storedJson } from '@lyceum/kernel';
import { readFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type EventLog, type LogState, stateOf } from '@lyceum/eventlog';
import { type Database, copyCompact, freeze } from '@lyceum/sqlite';
import { copyNew, fingerprintOf, makeRoom, settle, writeNew } from './copied.ts';
import { refuseFaults } from '../watching/log-faults.ts';
import { type CopiedFile, type Manifest, type SecretsManifest, backupFormat, places } from './manifest.ts';

/** A service's open log with its file. */
export interface OpenLogFile {
  readonly service: string;
  readonly file: string;
  readonly database: Database;
  readonly log: EventLog;
}

/** A service's open key store. */
export interface OpenKeyFile {
  readonly service: string;
  readonly database: Database;
}

/** What is backed up. */
export interface BackupParts {
  readonly logs: readonly OpenLogFile[];
  readonly keys: readonly OpenKeyFile[];
  /** Its plain files are generated secrets; they go with the keys. */
  readonly dataDir: string;
  /** RFC 3339 UTC. */
  readonly at: string;
}

/** Longer than any generated secret. Bytes. */
const longestSecret = 64 * 1024;

/**
 * Throws `LogFaulty`, and writes nothing, when a commit of a log is damaged: every one of them is read before.
 * Writes a backup into an empty folder while the logs are used: all logs as of one moment, which only the beginning of
 * the call may delay, then the keys. The manifest comes last: without it the folder is no backup. What was written is
 * removed again when something fails.
 */
export async function backUp(folder: string, parts: BackupParts): Promise<Manifest> {
  await refuseFaults(parts.logs);
  try {
    await writeNew(join(folder, places.unfinished), parts.dataDir);
    const logs = await copyLogs(folder, parts.logs);
    const secrets = await copySecrets(join(folder, places.secrets), parts);
    const manifest: Manifest = {
      format: backupFormat,
      lyceum: await ownVersion(),
      made_at: parts.at,
      services: Object.fromEntries(logs),
    };
    await writeNew(join(folder, places.secrets, places.manifest), pretty(secrets));
    await writeNew(join(folder, places.manifest), pretty(manifest));
    await rm(join(folder, places.unfinished));
    return manifest;
  } catch (error) {
    for (const each of await readdir(folder)) await rm(join(folder, each), { recursive: true, force: true });
    throw error;
  }
}

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

async function copyLogs(folder: string, logs: readonly OpenLogFile[]) {
  const frozen: { readonly thaw: () => void }[] = [];
  try {
    // Nothing is awaited before all are frozen: no service can have seen what another has not written yet.
    const states = logs.map(({ database, log }): Promise<LogState> => {
      frozen.push(freeze(database));
      return stateOf(log);
    });
    const copies: [string, Manifest['services'][string]][] = [];
    for (const [index, { service, file }] of logs.entries()) {
      const target = join(folder, places.log(service));
      await copyNew(file, target);
      // The engine must still hold the file: one that closed has written into it.
      frozen[index]!.thaw();
      copies.push([service, { ...(await fingerprintOf(target)), ...(await states[index]!) }]);
    }
    return copies;
  } catch (error) {
    for (const each of frozen) attempt(() => each.thaw());
    throw error;
  }
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // The database is closed: there is nothing left to thaw.
  }
}

async function copySecrets(folder: string, { keys, dataDir, at }: BackupParts): Promise<SecretsManifest> {
  const files: Record<string, CopiedFile> = {};
  for (const { service, database } of keys) {
    const target = join(folder, places.keys(service));
    await makeRoom(target);
    copyCompact(database, target);
    await settle(target);
    files[places.keys(service)] = await fingerprintOf(target);
  }
  for (const name of await readdir(dataDir)) {
    if (!/^[a-z][a-z0-9-]*$/.test(name)) continue;
    const found = await stat(join(dataDir, name));
    if (!found.isFile() || found.size > longestSecret) continue;
    await copyNew(join(dataDir, name), join(folder, name));
    files[name] = await fingerprintOf(join(folder, name));
  }
  return { format: backupFormat, made_at: at, files };
}

/** The version of the program that makes the backup. */
async function ownVersion(): Promise<string> {
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  return storedJson<{ version: string }>(text).version;
}
