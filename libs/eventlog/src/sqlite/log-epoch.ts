import { randomUUID } from 'node:crypto';
import type { Database } from '@lyceum/sqlite';
import type { EventLog } from '../port.ts';

const schema =
  'CREATE TABLE IF NOT EXISTS incarnation (id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL) STRICT';

/** The name of a log's present epoch, kept in its file; made when there is none. */
export function openEpoch(database: Database): string {
  return database.transaction(() => {
    database.exec(schema);
    database.prepare('INSERT OR IGNORE INTO incarnation (id, name) VALUES (1, ?)').run(randomUUID());
    return database.prepare<{ name: string }>('SELECT name FROM incarnation').get()!.name;
  });
}

/** Begins another epoch: readers that remember the one before see that positions may mean other commits now. */
export function beginEpoch(database: Database): void {
  database.prepare('UPDATE incarnation SET name = ?').run(randomUUID());
}

/** The same log in another epoch, for one from which commits are gone that readers have seen. */
export function inNewEpoch(log: EventLog, database: Database): EventLog {
  beginEpoch(database);
  return { ...log, epoch: openEpoch(database) };
}
