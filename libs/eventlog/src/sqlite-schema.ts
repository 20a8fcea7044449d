import type { Database } from '@lyceum/sqlite';
import { checkLanes, defaultLanes } from './lane.ts';

const format = 1;

/** Distance of two lanes in `commits.id`: a lane holds 2^40 positions, and 1,024 lanes stay below 2^53. */
export const laneSpan = 2 ** 40;

/**
 * `commits.id` is lane × 2^40 + position, so a lane is one range of the table itself and needs no index. `touches` has
 * one row for each stream that a commit wrote; its key guards that nothing is written twice after one version.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS log (
    id INTEGER PRIMARY KEY CHECK (id = 1), format INTEGER NOT NULL, lanes INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS tenants (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE IF NOT EXISTS streams (
    id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE (tenant, name)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS commits (
    id INTEGER PRIMARY KEY, tenant INTEGER NOT NULL, commit_id TEXT NOT NULL, prev TEXT NOT NULL,
    fingerprint TEXT NOT NULL, at TEXT NOT NULL, meta TEXT NOT NULL, streams TEXT NOT NULL, events TEXT NOT NULL,
    UNIQUE (tenant, commit_id)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS touches (
    stream INTEGER NOT NULL, before INTEGER NOT NULL, after INTEGER NOT NULL, commit_row INTEGER NOT NULL,
    PRIMARY KEY (stream, before)
  ) STRICT, WITHOUT ROWID;`;

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
