import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Channel, memoryChannel } from '@lyceum/channel';
import { memoryDocuments, sqliteDocuments } from '@lyceum/documents';
import { memoryEphemeral } from '@lyceum/ephemeral';
import { memoryEventLog, sqliteEventLog } from '@lyceum/eventlog';
import { type Clock, type Ids, systemClock, systemIds } from '@lyceum/kernel';
import { AlreadyRunning } from '@lyceum/sqlite';
import type { Ports } from '@lyceum/web';
import type { Logger } from 'pino';
import { keepSecret } from './kept-secret.ts';
import type { AnyModule } from './module.ts';
import { StartRefused } from './refusal.ts';

/** The open ports of a process. */
export interface OpenPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly channel: Channel;
  /** Signs list cursors; kept in the data folder. */
  readonly cursorSecret: string;
  /** The ports of one service: its own log and documents; what is short-lived is shared. */
  of(service: string): Ports;
  /** Releases every engine. */
  close(): Promise<void>;
}

/** Anything with an orderly end. */
interface Closable {
  close(): Promise<void>;
}

/**
 * Opens the embedded engines: `<folder>/<service>/events.db` (durable) and `documents.db` (rebuildable) for each service
 * that keeps data, one channel and one short-lived store for all. Throws `StartRefused` when another process holds the folder.
 */
export async function openPorts(modules: readonly AnyModule[], folder: string, logger: Logger): Promise<OpenPorts> {
  const clock = systemClock;
  const ids = systemIds(clock);
  const ephemeral = memoryEphemeral(clock);
  const channel = memoryChannel({
    onError: (err, { consumer, source, lane }) =>
      logger.error({ err, consumer, source, lane }, 'a follower failed; it tries again'),
  });
  const services = new Map<string, Ports>();
  const opened: Closable[] = [ephemeral];
  const closeAll = async () => {
    await channel.close();
    for (const each of opened.reverse()) await each.close();
  };
  try {
    for (const { name, stateless } of modules) {
      const log = stateless ? memoryEventLog() : await sqliteEventLog({ file: join(folder, name, 'events.db') });
      opened.push(log);
      const documents = stateless
        ? memoryDocuments()
        : await sqliteDocuments({ file: join(folder, name, 'documents.db') });
      opened.push(documents);
      services.set(name, { log, documents, ephemeral, clock, ids });
    }
    const cursorSecret = await keepSecret(join(folder, 'cursor-key'), () => randomBytes(32).toString('base64url'));
    return { clock, ids, channel, cursorSecret, of: (service) => services.get(service)!, close: closeAll };
  } catch (error) {
    await closeAll();
    throw error instanceof AlreadyRunning ? held(folder) : error;
  }
}

const held = (folder: string): StartRefused =>
  new StartRefused(`Lyceum is already running on this data directory: ${folder}`, [
    '  Stop the other process, or give this one a folder of its own: DATA_DIR=./other',
  ]);
