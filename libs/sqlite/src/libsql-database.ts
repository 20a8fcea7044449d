import { createRequire } from 'node:module';
// oxlint-disable-next-line no-restricted-imports -- this package is the one door to the driver; a type costs nothing
import type libsql from 'libsql';
import { type Bindable, type Database, DatabaseClosed, type Row, type Statement } from './database.ts';
import { Scrubber } from './scrubber.ts';
import type { WalCheckpoints } from './wal-checkpoints.ts';

/** The door to `libsql`, whose traps end here. */
export class LibsqlDatabase implements Database {
  readonly #driver: libsql.Database;
  readonly #wal: WalCheckpoints | undefined;
  readonly #scrubber: Scrubber;
  #closed = false;

  /** `wal` hears of every commit. */
  constructor(driver: libsql.Database, file: string, wal?: WalCheckpoints) {
    this.#driver = driver;
    this.#wal = wal;
    this.#scrubber = new Scrubber({ file, database: this, sync: async (isDue) => wal?.sync(isDue) });
  }

  exec(sql: string): void {
    this.#assertOpen();
    this.#wal?.settle();
    this.#driver.exec(sql);
  }

  prepare<R = Row>(sql: string): Statement<R> {
    this.#assertOpen();
    const statement = this.#driver.prepare(sql);
    // Raw rows are arrays, free of the `_metadata` that the driver puts into objects.
    if (statement.reader) statement.raw(true);
    const columns = statement.columns().map((column) => column.name);
    const row = (values: unknown): R => {
      const named: Row = {};
      for (let index = 0; index < columns.length; index += 1) named[columns[index]!] = (values as unknown[])[index];
      return named as R;
    };
    // One array argument: the driver takes a lone null for an object. It also keeps statements alive after close.
    return {
      run: (...parameters) =>
        this.#use(() => {
          this.#wal?.settle();
          return { changes: statement.run(bindable(parameters)).changes };
        }),
      get: (...parameters) =>
        this.#use(() => {
          const values = statement.get(bindable(parameters));
          return values === undefined ? undefined : row(values);
        }),
      all: (...parameters) => this.#use(() => statement.all(bindable(parameters)).map(row)),
    };
  }

  begin(): void {
    this.exec('BEGIN IMMEDIATE');
  }

  commit(): void {
    this.exec('COMMIT');
    this.#wal?.written();
  }

  /** A database without `wal` has done it at each commit. */
  async sync(): Promise<void> {
    this.#assertOpen();
    await this.#wal?.sync();
  }

  rollback(): void {
    this.exec('ROLLBACK');
  }

  /** The WAL is written back next. */
  writingBack(): void {
    this.#scrubber.writingBack();
  }

  async scrub(): Promise<void> {
    this.#assertOpen();
    await this.#scrubber.scrub();
  }

  transaction<T>(work: () => T): T {
    this.begin();
    try {
      const result = work();
      this.commit();
      return result;
    } catch (error) {
      if (this.#driver.inTransaction) this.rollback();
      throw error;
    }
  }

  close(): void {
    if (this.#closed) return;
    if (this.#driver.inTransaction) this.#driver.exec('ROLLBACK');
    // The driver's close waits for the garbage collector to free every statement, and holds the lock so long. Leaving
    // WAL and exclusive mode gives it up now.
    try {
      this.#wal?.settle();
      this.#driver.exec(
        'PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL; SELECT count(*) FROM sqlite_master',
      );
    } catch {
      // The disk has no room for it, or fails: the WAL stays beside the file, and the next process reads it.
    } finally {
      this.abandon();
    }
  }

  /** Closes without touching the file: for a connection that never got the lock. */
  abandon(): void {
    this.#closed = true;
    this.#wal?.close();
    this.#scrubber.close();
    this.#driver.close();
  }

  #use<T>(work: () => T): T {
    this.#assertOpen();
    return work();
  }

  #assertOpen(): void {
    if (this.#closed) throw new DatabaseClosed('the database is closed');
  }
}

/** The driver ends the process on a boolean and stores undefined as NULL: both are refused, whatever the types said. */
function bindable(parameters: readonly Bindable[]): readonly Bindable[] {
  for (const value of parameters)
    if (value === undefined || typeof value === 'boolean')
      throw new TypeError(`a parameter cannot be ${String(value)}`);
  return parameters;
}

// Loaded when first needed. An import would search its sources for the names of exports, which takes longer than all else.
const load = createRequire(import.meta.url);

/** Opens the file. Throws what the driver throws. */
export const openDriver = (file: string): libsql.Database => new (load('libsql') as typeof libsql)(file);

/**
 * Copies the pages of the WAL into the file, which the caller brings to the disk; false when the file is frozen, in the middle
 * of a transaction, and after a failure: then the WAL keeps everything, and the engine tries by itself when there is more of it.
 */
export function copyBack(driver: libsql.Database): boolean {
  if (driver.inTransaction) return false;
  try {
    const [every] = driver.prepare('PRAGMA wal_autocheckpoint').raw().get() as [number];
    if (every === 0) return false;
    driver.exec('PRAGMA synchronous = OFF');
    driver.exec('PRAGMA wal_checkpoint(PASSIVE)');
    return true;
  } catch {
    return false;
  } finally {
    driver.exec('PRAGMA synchronous = NORMAL');
  }
}
