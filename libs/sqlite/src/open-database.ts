import { chmod, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AlreadyRunning, type Database } from './database.ts';
import { LibsqlDatabase, copyBack, openDriver } from './libsql-database.ts';
import { WalCheckpoints } from './wal-checkpoints.ts';

/** How hard a commit is: `durable` = fsync before it returns; else what was committed since the last `sync` may vanish with the power. */
export interface DatabaseOptions {
  readonly durable: boolean;
  /** Of a database that is not: so many pages of the WAL are written back at once; 8,000 when not given. */
  readonly pages?: number;
}

/**
 * Opens a database file for this process alone, creating it (mode 0600) and its folder (mode 0700) when missing. The lock
 * is taken here and ends with `close` or with the process, however it ends.
 *
 * Throws `AlreadyRunning` when the file is held; an `Error` when the engine did not take a setting.
 */
export async function openDatabase(file: string, { durable, pages }: DatabaseOptions): Promise<Database> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await ownersOnly(file);
  const driver = openDriver(file);
  const copy = () => {
    database.writingBack();
    return copyBack(driver);
  };
  const wal = durable ? undefined : new WalCheckpoints(file, { copy, pages });
  const database = new LibsqlDatabase(driver, file, wal);
  try {
    // Exclusive before WAL: the engine then keeps the WAL's index in its own memory, and no second connection can exist.
    set(database, 'locking_mode', 'EXCLUSIVE', 'exclusive');
    set(database, 'journal_mode', 'WAL', 'wal');
    set(database, 'synchronous', durable ? 'FULL' : 'NORMAL', durable ? 2 : 1);
    set(database, 'wal_autocheckpoint', '10000', 10_000);
    // KiB when negative. Grows only as far as pages are used.
    set(database, 'cache_size', '-16384', -16_384);
    // The lock is otherwise taken by the first use, which would hide the second process until then.
    database.begin();
    database.commit();
    return database;
  } catch (error) {
    database.abandon();
    throw isBusy(error) ? new AlreadyRunning(dirname(file), { cause: error }) : error;
  }
}

/** What the engine puts beside a file has the mode of the file. A file of an earlier release could be read by others. */
async function ownersOnly(file: string): Promise<void> {
  await (await open(file, 'a', 0o600)).close();
  // Somebody else's file is as its owner has made it.
  for (const each of [file, `${file}-wal`]) await chmod(each, 0o600).catch(() => undefined);
}

function set(database: Database, pragma: string, value: string, expected: string | number): void {
  database.exec(`PRAGMA ${pragma} = ${value}`);
  const actual = Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0];
  if (actual !== expected) throw new Error(`the database has ${pragma} ${String(actual)}, expected ${expected}`);
}

const isBusy = (error: unknown): boolean => String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');
