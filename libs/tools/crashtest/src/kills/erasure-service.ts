import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { memoryChannel } from '@lyceum/channel';
import {
  type Collection,
  type Documents,
  type Projection,
  liveDocuments,
  mongodbDocuments,
  purgedUpTo,
  sqliteDocuments,
} from '@lyceum/documents';
import {
  type EventLog,
  type KeyStore,
  Vault,
  catalogueOf,
  encryptedEventLog,
  mongodbEventLog,
  mongodbKeyStore,
  sqliteEventLog,
  sqliteKeyStore,
} from '@lyceum/eventlog';
import { type EventTypes, ofStream, personal, systemClock } from '@lyceum/kernel';
import { type ModulePorts, projectLog } from '@lyceum/service';
import { startErasing } from '@lyceum/operations';
import { z } from 'zod';
import type { Fuse } from '../service/crash-point.ts';
import { overriding } from '../service/overriding.ts';
import { serversOf } from '../service/servers.ts';

const types: EventTypes = { Joined: { version: 1, data: z.object({ name: personal(z.string(), ofStream) }) } };

/** The school that everybody joins. */
export const school = 'school_a';

/** The read model of the service in one of its versions. */
export const membersOf = (version: number): Collection => ({ name: 'members', version, fields: { name: 'text' } });

/** The stream of a person, and the name that nobody may read any more once they are erased. */
export const streamOf = (person: string): string => `account-${person}`;
export const nameOf = (person: string): string => `Canary ${person}`;

const projectionOf = (version: number): Projection => ({
  collection: membersOf(version),
  key: ({ type, stream }) => (type === 'Joined' ? stream : undefined),
  project: ({ data }) => data as Record<string, unknown>,
  erase: { documents: (subject) => [subject.replace('_', '-')] },
});

/** What the service keeps. */
export interface ErasureEngines {
  readonly raw: EventLog;
  readonly store: KeyStore;
  readonly documents: Documents;
}

/** Opens what a folder keeps: on a MongoDB-wire server where it says so. */
export async function openErasureEngines(folder: string): Promise<ErasureEngines> {
  const { mongodb } = serversOf(folder);
  if (!mongodb)
    return {
      raw: await sqliteEventLog({ file: join(folder, 'events.db'), lanes: 2, gather: 32 }),
      store: await sqliteKeyStore({ file: join(folder, 'keys.db') }),
      documents: await sqliteDocuments({ file: join(folder, 'documents.db') }),
    };
  const { url, prefix, usedAs } = mongodb;
  const place = (name: string) => ({ url, database: `${prefix}${name}`, ...(usedAs && { engine: usedAs }) });
  return {
    raw: await mongodbEventLog({ ...place('events'), lanes: 2 }),
    store: await mongodbKeyStore(place('keys')),
    documents: await mongodbDocuments(place('documents')),
  };
}

/** Reads past whatever a process holds: with the keys that are stored now. */
export function readerOf({ raw, store }: Pick<ErasureEngines, 'raw' | 'store'>) {
  const vault = new Vault(store, [Buffer.alloc(32, 7)]);
  return { vault, log: encryptedEventLog(raw, { vault, catalogue: catalogueOf([types]) }) };
}

/** What was reported outside: `<word> <person>`, one line for each time. */
export const reportedIn = (folder: string): readonly (readonly [word: string, person: string])[] => {
  const file = join(folder, 'told');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  return lines.map((line) => line.split(' ') as [string, string]);
};

/** How a process takes part. */
export interface Part {
  /** The version of the read model that it builds; the one before is kept fresh. */
  readonly version: number;
  /** Whether it projects; of several processes, one does. */
  readonly projects: boolean;
}

/** A service that people join and are erased from. */
export async function startErasureService(folder: string, fuse: Fuse, { version, projects }: Part) {
  const engines = await openErasureEngines(folder);
  const documents = fusedDocuments(fuse, engines.documents, membersOf(version));
  const { vault, log } = readerOf({ raw: fusedLog(fuse, engines.raw), store: fusedKeys(fuse, engines.store) });
  const tell = (word: string, person: string): void => appendFileSync(join(folder, 'told'), `${word} ${person}\n`);
  const logger = {
    error: (said: { err?: unknown }) => process.stderr.write(`${String((said.err as Error | undefined)?.stack)}\n`),
    warn: () => undefined,
  };
  const channel = memoryChannel();
  const ports = { log, vault, documents, channel, clock: systemClock, logger } as unknown as ModulePorts;
  const projection = projectionOf(version);
  const previous = version > 1 ? projectionOf(version - 1) : undefined;
  const model = projects ? await projectLog(ports, 'people', projection, previous) : undefined;
  const live = await liveDocuments(documents, { ttl: 0 });
  const eraser = await startErasing(ports, {
    name: 'people',
    sources: [],
    started: {
      async erased(_, subject) {
        fuse.pass('C24');
        tell('service', subject.replace('account_', ''));
        fuse.pass('C24');
      },
      purged: (at, timeout) => purgedUpTo(live, projection, 'people', at, timeout),
    },
  });
  return {
    log,
    vault,
    live,
    model,
    tell,
    join: (person: string, commitId: string) =>
      log.append({
        tenant: school,
        expectations: [],
        events: [{ stream: streamOf(person), type: 'Joined', schema: 1, data: { name: nameOf(person) } }],
        commitId,
        fingerprint: '',
        at: '2026-01-05T08:00:00.000Z',
        meta: { actor: 'test' },
      }),
    async erase(person: string) {
      tell('asked', person);
      await eraser.erase(school, `account_${person}`, { actor: 'test' });
      tell('erased', person);
    },
    async close() {
      await eraser.close();
      await model?.close();
      await channel.close();
      for (const engine of [engines.documents, engines.store, engines.raw]) await engine.close();
    },
  };
}

/** Dies before and after a key is destroyed, and before and after the note that the log tells of it. */
const fusedKeys = (fuse: Fuse, store: KeyStore): KeyStore => {
  const around = async (work: () => Promise<void>) => {
    fuse.pass('C24');
    await work();
    fuse.pass('C24');
  };
  return overriding(store, {
    destroy: (slot) => around(() => store.destroy(slot)),
    markReported: (slot) => around(() => store.markReported(slot)),
  });
};

/** Dies before and after the log is told of an erasure. */
const fusedLog = (fuse: Fuse, log: EventLog): EventLog =>
  overriding(log, {
    async append(append) {
      const isErasure = append.events.some(({ type }) => type === 'SubjectErased');
      if (isErasure) fuse.pass('C24');
      const appended = await log.append(append);
      if (isErasure) fuse.pass('C24');
      return appended;
    },
  });

/** Dies around each write of the read models, which are built slowly, and of what the files keep. */
function fusedDocuments(fuse: Fuse, documents: Documents, building: Collection): Documents {
  return overriding(documents, {
    async apply(collection, ...rest) {
      if (collection.name.startsWith(building.name)) {
        if (collection.version === building.version) await pause(15);
        fuse.pass('C25');
      }
      await documents.apply(collection, ...rest);
      if (collection.name.startsWith(building.name)) fuse.pass('C25');
    },
    async scrub() {
      fuse.pass('C24');
      await documents.scrub?.();
      fuse.pass('C24');
    },
  });
}
