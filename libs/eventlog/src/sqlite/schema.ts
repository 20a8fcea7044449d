import type { Database } from '@lyceum/sqlite';
import { LogUnfit, checkLanes, defaultLanes } from '../lane.ts';

/** The format of a log without an archive, and of one with it, which a release before archives cannot read. */
const plainFormat = 2;
export const archivedFormat = 3;

/**
 * An append adds to the end of `commits`, where rows stay as they are: each has the commits of a group as lines, those of
 * a lane together. That is all that durability needs. The index is written later, in bulk and sorted: `runs`, where the
 * commits of a lane are, by the place of the first of some that follow each other in a row; `touches`, a row for each
 * stream that a commit wrote; `ids`, a row for each commit. These two know streams and ids by numbers that several may
 * share, so what they lead to is checked. `indexed` is the last row of `commits` that the index has. Old rows leave
 * `commits` for `archived`, where a compressed block has what some rows that follow each other had of one lane: its number
 * has the lane and the last row (see `blockId`). The index stays as it is.
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
  CREATE TABLE IF NOT EXISTS ids (id INTEGER NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (id, place)) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS archived (id INTEGER PRIMARY KEY, first INTEGER NOT NULL, rows BLOB NOT NULL) STRICT;`;

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
      database.prepare('INSERT INTO log (id, format, lanes, indexed) VALUES (1, ?, ?, 0)').run(plainFormat, lanes);
      return lanes;
    }
    checkFormat(stored.format);
    if (wanted !== undefined && wanted !== stored.lanes)
      throw new LogUnfit(`the log was created with ${stored.lanes} lanes and cannot be opened with ${wanted}`);
    return stored.lanes;
  });
}

/** Refuses a format that this version does not know. Throws `LogUnfit`. */
export function checkFormat(format: number): void {
  if (format !== plainFormat && format !== archivedFormat)
    throw new LogUnfit(`the log has format ${format}, this version reads ${plainFormat} and ${archivedFormat}`);
}
