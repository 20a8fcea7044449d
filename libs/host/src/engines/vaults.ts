import { join } from 'node:path';
import {
  type EventLog,
  type KeyStore,
  Vault,
  catalogueOf,
  encryptedEventLog,
  lazyKeyStore,
  memoryKeyStore,
  mongodbKeyStore,
  sqliteKeyStore,
} from '@lyceum/eventlog';
import type { DataFiles } from '@lyceum/operations';
import { mongoOf } from './engines.ts';
import type { AnyModule } from '@lyceum/service';
import type { ProcessSettings } from '../settings/settings.ts';

/** A log that encrypts personal fields, and the keys that it does so with. */
export interface Guarded {
  readonly log: EventLog;
  readonly vault: Vault;
}

/** The key store of a service, opened by its first use. */
export const keyStoreOf = (
  { name, stateless }: Pick<AnyModule, 'name' | 'stateless'>,
  settings: ProcessSettings,
  files: DataFiles,
): KeyStore => (stateless ? memoryKeyStore() : lazyKeyStore(() => openKeys(settings, name, files)));

/**
 * Puts encryption in front of a service's log.
 * Throws `UnsoundMark` when a personal field is declared wrongly.
 */
export function guard(
  { events = [] }: Pick<AnyModule, 'events'>,
  log: EventLog,
  rootKeys: readonly Uint8Array[],
  store: KeyStore,
): Guarded {
  const catalogue = catalogueOf(events);
  const vault = new Vault(store, rootKeys);
  return { vault, log: encryptedEventLog(log, { vault, catalogue }) };
}

/** The keys of one service in the engine that the settings choose: `<DATA_DIR>/<service>/keys.db`, or a database of its own. */
function openKeys(settings: ProcessSettings, service: string, files: DataFiles): Promise<KeyStore> {
  const mongo = mongoOf(settings);
  return mongo
    ? mongodbKeyStore({ ...mongo, database: `${settings.MONGODB_PREFIX}${service}_keys` })
    : sqliteKeyStore({ file: join(settings.DATA_DIR, service, 'keys.db'), open: files.openKeys(service) });
}

/** Whether a service has events with personal fields, or read models about persons, who are then to be forgotten there. */
export const holdsPersonalData = ({ events = [], projected = [] }: Pick<AnyModule, 'events' | 'projected'>): boolean =>
  catalogueOf(events).size > 0 || projected.some(({ projections = [] }) => projections.some(({ erase }) => erase));
