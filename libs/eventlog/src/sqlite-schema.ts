import type { Database } from '@lyceum/sqlite';
import { checkLanes, defaultLanes } from './lane.ts';

const format = 1;

/**
 * An append writes one row of `journal`, the commits of its group: all that durability needs, at the end of the table.
 * From there commits move in bulk, sorted, to where they are found again: `segments`, some commits of one lane in a row
 * under the place of the first; `touches`, a row for each stream that a commit wrote; `ids`, a row for each commit. These
 * two know streams and ids by numbers that several may share, so what they lead to is checked.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS log (
    id INTEGER PRIMARY KEY CHECK (id = 1), format INTEGER NOT NULL, lanes INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS journal (id INTEGER PRIMARY KEY, commits TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS segments (place INTEGER PRIMARY KEY, commits TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS touches (
    stream INTEGER NOT NULL, after INTEGER NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (stream, after, place)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS ids (id INTEGER NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (id, place)) STRICT, WITHOUT ROWID;`;

/**
 * Creates the tables of a new log, or checks those of an old one. Returns its number of lanes: fixed at creation,
 * because it decides where every tenant lives. Throws an `Error` when `wanted` is another number, or the format is
 * not known.
 */
export function openSchema(database: Database, wanted?: number): number {
  return database.transaction(() => {
    database.exec(schema);
    const stored = database.prepare<{ format: number; lanes: number }>('SELECT format, lanes FROM log').get();
    if (!stored) {
      const lanes = checkLanes(wanted ?? defaultLanes);
      database.prepare('INSERT INTO log (id, format, lanes) VALUES (1, ?, ?)').run(format, lanes);
      return lanes;
    }
    if (stored.format !== format) throw new Error(`the log has format ${stored.format}, this version reads ${format}`);
    if (wanted !== undefined && wanted !== stored.lanes)
      throw new Error(`the log was created with ${stored.lanes} lanes and cannot be opened with ${wanted}`);
    return stored.lanes;
  });
}
