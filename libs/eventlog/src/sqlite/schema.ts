import type { Database } from '@lyceum/sqlite';
import { LogUnfit, checkLanes, defaultLanes } from '../lane.ts';

const format = 2;

/**
 * An append adds to the end of `commits`, where rows stay as they are: each has the commits of a group as lines, those of
 * a lane together. That is all that durability needs. The index is written later, in bulk and sorted: `runs`, where the
 * commits of a lane are, by the place of the first of some that follow each other in a row; `touches`, a row for each
 * stream that a commit wrote; `ids`, a row for each commit. These two know streams and ids by numbers that several may
 * share, so what they lead to is checked. `indexed` is the last row of `commits` that the index has.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS log (
    id INTEGER PRIMARY KEY CHECK (id = 1), format INTEGER NOT NULL, lanes INTEGER NOT NULL, indexed INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS commits (id INTEGER PRIMARY KEY, lines TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS runs (
    place INTEGER PRIMARY KEY, row INTEGER NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL
  ) STRICT;
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
      database.prepare('INSERT INTO log (id, format, lanes, indexed) VALUES (1, ?, ?, 0)').run(format, lanes);
      return lanes;
    }
    if (stored.format !== format)
      throw new LogUnfit(`the log has format ${stored.format}, this version reads ${format}`);
    if (wanted !== undefined && wanted !== stored.lanes)
      throw new LogUnfit(`the log was created with ${stored.lanes} lanes and cannot be opened with ${wanted}`);
    return stored.lanes;
  });
}
