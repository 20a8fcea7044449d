/** What may be bound to a parameter. Not boolean (the engine aborts the process) and not undefined (it becomes NULL). */
export type Bindable = string | number | bigint | Uint8Array | null;

/** One row: a plain object with exactly the selected columns. Integers above 2^53 come rounded. */
export type Row = Record<string, unknown>;

/** A prepared statement. Parameters are positional, as many as the SQL has `?`. */
export interface Statement<R = Row> {
  /** Runs a writing statement. `changes` counts the rows it wrote. */
  run(...parameters: readonly Bindable[]): { readonly changes: number };
  /** The first row, or undefined. */
  get(...parameters: readonly Bindable[]): R | undefined;
  all(...parameters: readonly Bindable[]): R[];
}

/**
 * The one connection to an embedded database file: synchronous, used by one process. So small that another SQLite
 * driver can stand in. Every method throws the engine's error, or `DatabaseClosed` after `close`.
 */
export interface Database {
  /** Runs SQL without parameters; several statements may be separated by `;`. */
  exec(sql: string): void;
  /** Compiles once, runs often. The type of its rows is the caller's word. */
  prepare<R = Row>(sql: string): Statement<R>;
  /** Opens a transaction. Transactions do not nest. */
  begin(): void;
  /** Returns when the transaction is on stable storage, if the database is durable. */
  commit(): void;
  /**
   * Resolves when all that was committed is on stable storage, without stopping the event loop. Rejects when it could not be
   * brought there: then what the engine holds may never get there.
   */
  sync(): Promise<void>;
  rollback(): void;
  /**
   * Leaves no byte of what was deleted or overwritten before the call in the database's files, if `secure_delete` has always
   * been on. It is read whole for that, beside its use; calls at the same time share a pass. Rejects with the engine's error, or
   * `DatabaseClosed`: then something may be left.
   */
  scrub(): Promise<void>;
  /** Runs `work` in a transaction: commits its result, or rolls back and throws what it threw. */
  transaction<T>(work: () => T): T;
  /**
   * Writes the WAL back into the file and gives up the lock. Repeating it does nothing. When the disk has no room, the WAL
   * stays, with all that was committed, and the lock ends with the process.
   */
  close(): void;
}

/** Another process, or another part of this one, holds the database file. */
export class AlreadyRunning extends Error {
  override readonly name = 'AlreadyRunning';
  readonly folder: string;

  constructor(folder: string, options?: ErrorOptions) {
    super(`already running on this data directory: ${folder}`, options);
    this.folder = folder;
  }
}

/** The database was used after `close`. */
export class DatabaseClosed extends Error {
  override readonly name = 'DatabaseClosed';
}
