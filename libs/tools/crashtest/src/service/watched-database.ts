import type { Bindable, Database, Row, Statement } from '@lyceum/sqlite';

/** What is told of a database's transactions, before each step; `committed` after one, `synced` when all are on stable storage. */
export interface DatabaseWatch {
  readonly begin?: () => void;
  /** A statement that writes, inside a transaction. */
  readonly write?: () => void;
  readonly commit?: () => void;
  readonly committed?: () => void;
  readonly synced?: () => void;
}

/** A database that tells what it does. Whatever the watch throws happens instead of the step. */
export function watchedDatabase(inner: Database, watch: DatabaseWatch): Database {
  let open = false;
  const writing = (): void => {
    if (open) watch.write?.();
  };
  const database: Database = {
    exec(sql) {
      writing();
      inner.exec(sql);
    },
    prepare<R = Row>(sql: string): Statement<R> {
      const statement = inner.prepare<R>(sql);
      return {
        run(...parameters: readonly Bindable[]) {
          writing();
          return statement.run(...parameters);
        },
        get: (...parameters) => statement.get(...parameters),
        all: (...parameters) => statement.all(...parameters),
      };
    },
    begin() {
      watch.begin?.();
      inner.begin();
      open = true;
    },
    commit() {
      watch.commit?.();
      inner.commit();
      open = false;
      watch.committed?.();
    },
    async sync() {
      await inner.sync();
      watch.synced?.();
    },
    rollback() {
      open = false;
      inner.rollback();
    },
    transaction(work) {
      database.begin();
      try {
        const result = work();
        database.commit();
        return result;
      } catch (error) {
        if (open) database.rollback();
        throw error;
      }
    },
    scrub: () => inner.scrub(),
    close: () => inner.close(),
  };
  return database;
}
