import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Commit,
  type EventLog,
  Gap,
  KeyMissing,
  type Vault,
  WrappingKeyMissing,
  hasPersonal,
} from '@lyceum/eventlog';
import { exists } from '@lyceum/operations';
import { StartRefused } from '@lyceum/service';

/** Files of a service that only come to be beside its event log. */
const later = ['keys.db', 'keys.db-wal', 'documents.db', 'events.db-wal'];

/**
 * Refuses a data folder from which the event log of a service is gone: an empty one in its place would look like
 * a new installation. Changes nothing.
 */
export async function refuseLostLogs(dataDir: string, services: readonly string[]): Promise<void> {
  for (const service of services) {
    const there = await readdir(join(dataDir, service)).catch((): string[] => []);
    const proof = later.find((name) => there.includes(name));
    if (there.includes('events.db') || proof === undefined) continue;
    throw new StartRefused(
      `${join(dataDir, service, 'events.db')} is missing, but ${proof} beside it was made from it`,
      [
        '  Put the file back, with the -wal file that belongs to it, or restore a backup.',
        `  To begin without anything that was there, move the whole folder away: ${join(dataDir, service)}`,
      ],
    );
  }
}

/** Refuses to make a key-encryption key where something is sealed under another. */
export async function refuseLostRootKey(file: string, dataDir: string): Promise<void> {
  if (await exists(file)) return;
  for (const service of await readdir(dataDir).catch((): string[] => []))
    if (await exists(join(dataDir, service, 'keys.db')))
      throw new StartRefused(`${file} is missing, but the keys of ${service} are wrapped with it`, [
        '  Put the file back, or give the key in KEY_ENCRYPTION_KEY. Another key opens nothing of what is there.',
      ]);
}

/** Commits of each lane that are looked at. */
const sampled = 64;

/**
 * Refuses keys that do not belong to a log: the newest personal commits of each lane must be of schools whose keys are in
 * the key store, wrapped under a key that this process has. Throws what reading the log throws, too.
 */
export async function refuseForeignKeys(service: string, log: EventLog, vault: Vault): Promise<void> {
  for (let lane = 0; lane < log.lanes; lane += 1) {
    const head = await log.head(lane);
    const newest = (await newestOf(log, lane, head)).findLast(hasPersonal);
    if (newest) await refuseForeignKey(service, vault, newest.tenant);
  }
}

/** The newest commits of a lane; none where one is missing or damaged, which others tell of. */
async function newestOf(log: EventLog, lane: number, head: number): Promise<readonly Commit[]> {
  if (head === 0) return [];
  return log.readLane(lane, Math.max(0, head - sampled), sampled).catch((error: unknown) => {
    if (error instanceof Gap) return [];
    throw error;
  });
}

async function refuseForeignKey(service: string, vault: Vault, tenant: string): Promise<void> {
  try {
    await vault.proveSchoolKey(tenant);
  } catch (error) {
    if (error instanceof KeyMissing)
      throw new StartRefused(`The keys of ${service} are not those of its event log: ${error.message}`, [
        '  Put the key store back that belongs to the log (keys.db of the same folder), or restore it from a backup.',
        '  What was personal in the log cannot be read without it, by anybody.',
      ]);
    if (error instanceof WrappingKeyMissing)
      throw new StartRefused(`The keys of ${service} cannot be opened: ${error.message}`, [
        '  A key that is to be replaced stays in KEY_ENCRYPTION_KEY_PREVIOUS until `lyceum keys rewrap` says 0.',
      ]);
    throw error;
  }
}
