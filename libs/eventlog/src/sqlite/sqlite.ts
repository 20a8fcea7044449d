import { type Database, openDatabase } from '@lyceum/sqlite';
import { type ArchiveOptions, archiving } from './archive/archiving.ts';
import { embeddedEventLog } from '../embedded/embedded.ts';
import { openEpoch } from './log-epoch.ts';
import type { EventLog } from '../port.ts';
import { openSchema } from './schema.ts';
import { SqliteStore } from './sqlite-store.ts';

/** Where the log lives. */
export interface SqliteEventLogOptions {
  readonly file: string;
  /** Fixed when the file is created (16 when not given); must match it later. */
  readonly lanes?: number;
  /** Commits that wait in memory to be indexed: 8,192 when not given. */
  readonly gather?: number;
  /** Old commits are moved into the archive of the file; nothing is when not given. A release before archives cannot open it then. */
  readonly archive?: ArchiveOptions;
  /** How the file is opened; replaceable to inject faults. */
  readonly open?: (file: string) => Promise<Database>;
}

/**
 * Opens the file of a log: commits are brought to stable storage by the log itself, and few pages at once are written back, so
 * that the event loop goes on.
 */
export const openLogDatabase = (file: string): Promise<Database> =>
  openDatabase(file, { durable: false, pages: 1_500 });

/**
 * An event log in one SQLite file, held by this process alone; every acknowledged append has been fsynced. Throws
 * `AlreadyRunning` when another process holds the file, `LogUnfit` when it was created with other lanes.
 */
export async function sqliteEventLog(options: SqliteEventLogOptions): Promise<EventLog> {
  const { file, lanes, gather, archive, open = openLogDatabase } = options;
  const database = await open(file);
  try {
    const store = new SqliteStore(database, openSchema(database, lanes), gather);
    const epoch = openEpoch(database);
    return { ...embeddedEventLog(store, archive && archiving(database, store.lanes, archive)), epoch };
  } catch (error) {
    database.close();
    throw error;
  }
}
