import type { Documents } from '@lyceum/documents';
import type { ArchiveOptions, EventLog, KeyStore, Vault } from '@lyceum/eventlog';
import type { DataFiles } from '@lyceum/operations';
import { refuseForeignKeys } from './data-complete.ts';
import type { Ephemeral } from '@lyceum/ephemeral';
import { noDocuments, noLog, openDocuments, openLog } from './engines.ts';
import type { AnyModule } from '@lyceum/service';
import type { ProcessSettings } from '../settings/settings.ts';
import { toldBy } from './unopened.ts';
import { guard, keyStoreOf } from './vaults.ts';

/** Anything with an orderly end. */
export interface Closable {
  close(): Promise<void>;
}

/** Takes what is opened into the list of what is to be closed, and hands it on. */
export type Keep = <T extends Closable>(engine: T) => T;

/** The log as it goes on, after what it and the read models know of each other. */
export type GoneOn = (log: EventLog, documents: Documents) => Promise<EventLog>;

interface Opening {
  readonly rootKeys: readonly Buffer[];
  readonly files: DataFiles;
  readonly keep: Keep;
  readonly goneOn: GoneOn;
  /** By which processes tell each other that the log grew. */
  readonly signals?: Pick<Ephemeral, 'signal' | 'listen'>;
  /** What of the log is archived; nothing is when not given. */
  readonly archive?: ArchiveOptions | undefined;
  /** Instead of the key store and the read models that the settings choose. */
  readonly instead?: { readonly keys?: KeyStore; readonly documents?: Documents };
}

/** What a service keeps, opened. */
interface Kept {
  /** The log as it is stored, and the one that encrypts what is personal. */
  readonly raw: EventLog;
  readonly guarded: EventLog;
  readonly vault: Vault;
  readonly documents: Documents;
}

/**
 * Opens what a service keeps: log, read models and keys. Throws `StartRefused` when one of them is damaged, was made for
 * other settings, or does not belong to the others, and `AlreadyRunning` when another process has it.
 */
export async function openKept(
  module: Pick<AnyModule, 'name' | 'events' | 'stateless'>,
  settings: ProcessSettings,
  { rootKeys, files, keep, goneOn, signals, archive, instead = {} }: Opening,
): Promise<Kept> {
  const { name, stateless } = module;
  const log = keep(
    stateless
      ? noLog()
      : await openLog(settings, name, files, { signals, archive }).catch(toldBy(settings, name, 'event log')),
  );
  const documents = keep(
    instead.documents ??
      (stateless ? noDocuments() : await openDocuments(settings, name).catch(toldBy(settings, name, 'read models'))),
  );
  const raw = await goneOn(log, documents);
  const keys = instead.keys ?? keyStoreOf(module, settings, files);
  const { log: guarded, vault } = guard(module, raw, rootKeys, keys);
  keep(vault);
  await refuseForeignKeys(name, raw, vault).catch(toldBy(settings, name, 'keys'));
  return { raw, guarded, vault, documents };
}
