import { type Documents, memoryDocuments } from '@lyceum/documents';
import {
  type EventLog,
  Vault,
  catalogueOf,
  encryptedEventLog,
  memoryEventLog,
  memoryKeyStore,
  withSharedReading,
} from '@lyceum/eventlog';
import { type DomainEvent, isoTime, uuidv5 } from '@lyceum/kernel';
import type { Module } from '@lyceum/service';
import { FakeClock, FakeIds } from '@lyceum/testkit';

/** An event of an earlier time, in the newest version of its type unless it says another. */
export interface GivenEvent extends DomainEvent {
  readonly stream: string;
  readonly schema?: number;
}

/** Engines in memory that outlive a start of a service, as a data folder does. */
export interface Engines {
  /** Encrypts what is personal, and shares its reading, as every log of a service does. */
  readonly log: EventLog;
  readonly vault: Vault;
  readonly documents: Documents;
  readonly ids: FakeIds;
  readonly clock: FakeClock;
  /** Appends events in one commit, at whatever versions their streams have. */
  write(school: string, events: readonly GivenEvent[]): Promise<void>;
}

/** The root key of every vault under test. */
export const rootKey = Buffer.alloc(32, 7);

/** New engines for a service. */
export function enginesOf({ events: declared = [] }: Pick<Module, 'events'>): Engines {
  const vault = new Vault(memoryKeyStore(), [rootKey]);
  const encrypted = encryptedEventLog(memoryEventLog(), { vault, catalogue: catalogueOf(declared) });
  const log = withSharedReading(encrypted, { erasures: vault });
  const clock = new FakeClock();
  const versionOf = (type: string) => declared.find((types) => type in types)?.[type]?.version ?? 1;
  let commits = 0;
  return {
    log,
    vault,
    documents: memoryDocuments(),
    ids: new FakeIds(),
    clock,
    async write(tenant, given) {
      commits += 1;
      const events = given.map((event) => ({ ...event, schema: event.schema ?? versionOf(event.type) }));
      const commitId = uuidv5('given', tenant, String(commits));
      const at = isoTime(clock.now());
      await log.append({ tenant, expectations: [], events, commitId, fingerprint: '', at, meta: { actor: 'system' } });
    },
  };
}
