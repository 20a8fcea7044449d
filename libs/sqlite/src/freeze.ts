import type { Database } from './database.ts';

/**
 * Writes all that is committed into the database's file and leaves the file alone until `thaw`: what is committed from
 * now on goes to the WAL beside it. So the file can be copied while the database is used, and the copy is the state of
 * this moment. Synchronous: several databases frozen in one turn are one consistent cut. Whoever closes the database, or
 * checkpoints it, ends the freeze.
 */
export function freeze(database: Database): { thaw(): void } {
  const { wal_autocheckpoint: every } = database
    .prepare<{ wal_autocheckpoint: number }>('PRAGMA wal_autocheckpoint')
    .get()!;
  // It writes, so it waits for pages that were copied before and are on their way to the disk.
  database.exec('PRAGMA wal_autocheckpoint = 0');
  const thaw = () => database.exec(`PRAGMA wal_autocheckpoint = ${every}`);
  const checkpoint = database
    .prepare<{ busy: number; log: number; checkpointed: number }>('PRAGMA wal_checkpoint(TRUNCATE)')
    .get();
  if (checkpoint?.busy === 0) return { thaw };
  thaw();
  throw new Error('the database file could not be brought up to date');
}

/** Writes a compact copy of an open database into a new file, with nothing in it that was deleted. Blocks until it is done. */
export function copyCompact(database: Database, target: string): void {
  database.exec(`VACUUM INTO '${target.replaceAll("'", "''")}'`);
}
