import type { Channel, Message } from '@lyceum/channel';
import type { Collection, Documents } from '@lyceum/documents';
import type { EventLog } from '@lyceum/eventlog';
import type { Database } from '@lyceum/sqlite';
import type { Fuse } from './crash-point.ts';
import { overriding } from './overriding.ts';
import type { Spool } from './spool.ts';
import { watchedDatabase } from './watched-database.ts';

/** Whose database file it is. */
export type Stage = 'owner log' | 'owner documents' | 'consumer documents';

/** Where the ports of the service can be replaced, to die at a moment that no port tells of. */
export interface Seams {
  database(stage: Stage, database: Database): Database;
  log(log: EventLog): EventLog;
  /** `places` is the collection that holds no documents, only a place in the lanes. */
  documents(documents: Documents, places: Collection): Documents;
  spool(spool: Spool): Spool;
  channel(channel: Channel): Channel;
  /** Given when a second relay runs: the channel that it publishes to. */
  readonly secondRelay?: (channel: Channel) => Channel;
  /** The reactor repeated an effect that was there already. */
  redelivered(): void;
  /** A relay or a reader failed, and tries again. */
  failed(error: unknown): void;
}

/** Nothing is replaced. */
export const seamless: Seams = {
  database: (_stage, database) => database,
  log: (log) => log,
  documents: (documents) => documents,
  spool: (spool) => spool,
  channel: (channel) => channel,
  redelivered: () => undefined,
  failed: () => undefined,
};

/** The seams that lead the process past the fuse at each of its points. */
export function fused(fuse: Fuse): Omit<Seams, 'redelivered' | 'failed'> {
  const { point } = fuse;
  return {
    database: (stage, database) => fusedDatabase(fuse, stage, database),
    log: (log) => fusedLog(fuse, log),
    documents: (documents, places) => fusedDocuments(fuse, documents, places),
    spool: (spool) => (point === 'C6' ? cuttingSpool(fuse, spool) : point === 'C8' ? lossySpool(fuse, spool) : spool),
    channel: (channel) => overriding(channel, { publish: after(channel.publish.bind(channel), () => fuse.pass('C5')) }),
    ...(point === 'C7' && { secondRelay: (channel: Channel) => slowly(fuse, channel) }),
  };
}

const after =
  <Args extends readonly unknown[], T>(work: (...args: Args) => Promise<T>, then: () => void) =>
  async (...args: Args): Promise<T> => {
    const result = await work(...args);
    then();
    return result;
  };

function fusedDatabase(fuse: Fuse, stage: Stage, database: Database): Database {
  if (stage !== 'owner log') {
    const pass = () => fuse.pass('C10');
    return watchedDatabase(database, { write: pass, commit: pass, committed: pass });
  }
  const pass = () => fuse.pass('C3');
  return watchedDatabase(database, {
    begin: () => fuse.pass('C1'),
    write: pass,
    commit: pass,
    committed: pass,
    synced: pass,
  });
}

const fusedLog = (fuse: Fuse, log: EventLog): EventLog =>
  overriding(log, {
    append: after(log.append.bind(log), () => fuse.pass('C2')),
    wake: (listener) =>
      log.wake((lane) => {
        fuse.pass('C4');
        listener(lane);
      }),
  });

/** Dies before a place is saved: the relay's after an acknowledgement, the reactor's after its effect. */
const fusedDocuments = (fuse: Fuse, documents: Documents, places: Collection): Documents =>
  overriding(documents, {
    async apply(collection, ...rest) {
      if (collection === places) fuse.pass(places.name === 'outbox' ? 'C5' : 'C9');
      return documents.apply(collection, ...rest);
    },
  });

/** The last batch of the process arrives cut off anywhere: whole, in part, or not at all. */
const cuttingSpool = (fuse: Fuse, spool: Spool): Spool => ({
  ...spool,
  append(lane, lines) {
    if (fuse.isLast('C6')) spool.append(lane, lines.slice(0, Math.floor(Math.random() * (lines.length + 1))));
    fuse.pass('C6');
    spool.append(lane, lines);
  },
});

/** Forgets everything at the start, and every third line later. */
function lossySpool(fuse: Fuse, spool: Spool): Spool {
  spool.expire();
  return {
    ...spool,
    append(lane, lines) {
      for (const line of lines.split('\n').slice(0, -1))
        if (Math.random() < 0.3) fuse.pass('C8');
        else spool.append(lane, `${line}\n`);
    },
  };
}

/** A relay that was paused and goes on later, one message at a time. */
const slowly = (fuse: Fuse, channel: Channel): Channel =>
  overriding(channel, {
    async publish(messages: readonly Message[]) {
      for (const message of messages) {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
        await channel.publish([message]);
        fuse.pass('C7');
      }
    },
  });
