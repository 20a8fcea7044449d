import { join } from 'node:path';
import {
  type EventLog,
  Vault,
  catalogueOf,
  encryptedEventLog,
  lazyKeyStore,
  memoryKeyStore,
  sqliteKeyStore,
} from '@lyceum/eventlog';
import type { DataFiles } from './backup/data-files.ts';
import type { AnyModule } from './module.ts';
import type { ProcessSettings } from './settings.ts';

/** A log that encrypts personal fields, and the keys that it does so with. */
export interface Guarded {
  readonly log: EventLog;
  readonly vault: Vault;
}

/**
 * Puts encryption in front of a service's log. The key store `<DATA_DIR>/<service>/keys.db` is opened by its first use.
 * Throws `UnsoundMark` when a personal field is declared wrongly.
 */
export function guard(
  { name, events = [], stateless }: Pick<AnyModule, 'name' | 'events' | 'stateless'>,
  log: EventLog,
  rootKeys: readonly Uint8Array[],
  { DATA_DIR }: Pick<ProcessSettings, 'DATA_DIR'>,
  files: DataFiles,
): Guarded {
  const catalogue = catalogueOf(events);
  const store = stateless
    ? memoryKeyStore()
    : lazyKeyStore(() => sqliteKeyStore({ file: join(DATA_DIR, name, 'keys.db'), open: files.openKeys(name) }));
  const vault = new Vault(store, rootKeys);
  return { vault, log: encryptedEventLog(log, { vault, catalogue }) };
}

/** Whether a service has events with personal fields. */
export const holdsPersonalData = ({ events = [] }: Pick<AnyModule, 'events'>): boolean => catalogueOf(events).size > 0;
