import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
// oxlint-disable-next-line no-restricted-imports -- this package is the one door to the driver; a type costs nothing
import type libsql from 'libsql';
import { AlreadyRunning, type Database } from './database.ts';
import { LibsqlDatabase } from './libsql-database.ts';
import { WalCheckpoints, writeBack } from './wal-checkpoints.ts';

/** How hard a commit is: `durable` = fsync before it returns; else the last commits may vanish with the power. */
export interface DatabaseOptions {
  readonly durable: boolean;
}

// Loaded when first needed. An import would search its sources for the names of exports, which takes longer than all else.
const load = createRequire(import.meta.url);

/**
 * Opens a database file for this process alone, creating it and its folder (mode 0700) when missing. The lock is taken
 * here and ends with `close` or with the process, however it ends.
 *
 * Throws `AlreadyRunning` when the file is held; an `Error` when the engine did not take a setting.
 */
export async function openDatabase(file: string, { durable }: DatabaseOptions): Promise<Database> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const Driver = load('libsql') as typeof libsql;
  const driver = new Driver(file);
  const wal = durable ? undefined : new WalCheckpoints(file, () => writeBack(driver));
  const database = new LibsqlDatabase(driver, wal);
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

function set(database: Database, pragma: string, value: string, expected: string | number): void {
  database.exec(`PRAGMA ${pragma} = ${value}`);
  const actual = Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0];
  if (actual !== expected) throw new Error(`the database has ${pragma} ${String(actual)}, expected ${expected}`);
}

const isBusy = (error: unknown): boolean => String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');
