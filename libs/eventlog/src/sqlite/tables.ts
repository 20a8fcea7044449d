import { type Database, adding } from '@lyceum/sqlite';
import { atPlace, laneSpan, placeOf } from '../lane.ts';
import { storedLine } from '../storage/line.ts';
import { ArchivedRows } from './archive/archived-rows.ts';
import { Corrupted, Damaged } from '../errors.ts';
import type { PlaceRow } from '../embedded/place-index.ts';
import type { RunRow } from '../embedded/recent.ts';
import { idKey, streamKey } from '../embedded/packed-key.ts';
import { type StoredCommit, touches } from '../storage/store.ts';

/** Commits of one lane, one after the other from a place on: some lines of a row. */
interface Run {
  readonly place: number;
  readonly row: number;
  readonly first: number;
  readonly count: number;
  /** Null when the row is archived, or gone. */
  readonly lines: string | null;
}

/** A commit that wrote a stream: its place, the version after it, and the run that it is in. */
interface TouchedRun extends Run {
  readonly after: number;
  readonly touched: number;
}

/** Rows read at once. */
const ahead = 64;

const runsOfLane = `SELECT place, row, first, count, lines FROM runs LEFT JOIN commits ON commits.id = runs.row
  WHERE place > ? AND place < ? ORDER BY place`;

/** The statements of a log, compiled once. Each read is one point or one range of an index. */
const statements = (db: Database) => ({
  add: adding(db, 'INSERT INTO commits (id, lines)', 2, 8),
  unindexed: db.prepare<{ id: number; lines: string }>('SELECT id, lines FROM commits WHERE id > ? ORDER BY id'),
  indexed: db.prepare<{ indexed: number }>('SELECT indexed FROM log WHERE id = 1'),
  setIndexed: db.prepare('UPDATE log SET indexed = ? WHERE id = 1'),
  last: db.prepare<Run>(`${runsOfLane} DESC LIMIT 1`),
  range: db.prepare<Run>(`${runsOfLane} LIMIT ?`),
  id: db.prepare<{ place: number }>('SELECT place FROM ids WHERE id = ?'),
  newest: db.prepare<{ id: number }>('SELECT id FROM ids WHERE id >= 0 ORDER BY id DESC LIMIT 1'),
  touches:
    db.prepare<TouchedRun>(`SELECT after, touches.place AS touched, runs.place, row, first, count, lines FROM touches
    CROSS JOIN runs ON runs.place = (SELECT max(place) FROM runs AS each WHERE each.place <= touches.place)
    LEFT JOIN commits ON commits.id = runs.row
    WHERE stream = ? AND (after, touches.place) > (?, ?) ORDER BY after, touches.place LIMIT ?`),
  head: db.prepare<{ place: number }>(
    'SELECT place FROM touches WHERE stream = ? ORDER BY after DESC, place DESC LIMIT 1 OFFSET ?',
  ),
  // What a crash left half indexed is indexed again.
  addRuns: adding(db, 'INSERT OR IGNORE INTO runs (place, row, first, count)', 4, 64),
  addTouches: adding(db, 'INSERT OR IGNORE INTO touches (stream, after, place)', 3, 64),
  addIds: adding(db, 'INSERT OR IGNORE INTO ids (id, place)', 2, 64),
});

/** The tables of a log: the commits, and the index that finds them once it has been written. */
export class SqliteTables {
  readonly #sql: ReturnType<typeof statements>;
  readonly #archived: ArchivedRows;

  constructor(database: Database) {
    this.#sql = statements(database);
    this.#archived = new ArchivedRows(database);
  }

  /** Adds rows, numbered from the first on: the lines of some commits each, those of a lane together and in order. */
  add(first: number, rows: readonly string[]): void {
    this.#sql.add(rows.map((lines, index) => [first + index, lines]));
  }

  /** The number of the last row before those that `unindexed` gives. */
  lastIndexed(): number {
    return this.#sql.indexed.get()?.indexed ?? 0;
  }

  /** The commits of every row that is not in the index, or perhaps not all of it, in the order written. */
  unindexed(): readonly { readonly row: number; readonly commits: readonly StoredCommit[] }[] {
    const rows = this.#sql.unindexed.all(this.lastIndexed());
    return rows.map(({ id, lines }) => ({
      row: id,
      commits: lines.split('\n').map((line) => storedLine(line) ?? damagedLine(line, id)),
    }));
  }

  /** From now on the index has every row up to this one. */
  indexed(row: number): void {
    this.#sql.setIndexed.run(row);
  }

  addRuns(rows: readonly RunRow[]): void {
    this.#sql.addRuns(rows);
  }

  addTouches(rows: readonly PlaceRow[]): void {
    this.#sql.addTouches(rows);
  }

  addIds(rows: readonly PlaceRow[]): void {
    this.#sql.addIds(rows.map(([id, , place]) => [id, place]));
  }

  /** The newest commit of a lane in the index. */
  last(lane: number): StoredCommit | undefined {
    for (let end = (lane + 1) * laneSpan; ;) {
      const run = this.#sql.last.get(lane * laneSpan, end);
      if (!run) return undefined;
      const lines = this.#linesOf(run);
      if (lines) return commitAt(lines[run.count - 1], run.place + run.count - 1);
      end = run.place;
    }
  }

  /** Up to `limit` commits of a lane from a position on, ascending. */
  range(lane: number, from: number, limit: number): StoredCommit[] {
    const found: StoredCommit[] = [];
    const end = (lane + 1) * laneSpan;
    for (let before = (this.#holding(placeOf({ lane, position: from }))?.place ?? lane * laneSpan + from) - 1; ;) {
      const runs = this.#sql.range.all(before, end, Math.min(limit - found.length + 1, ahead));
      for (const run of runs) {
        const lines = this.#linesOf(run);
        if (!lines) continue;
        for (let at = Math.max(from - atPlace(run.place).position, 0); at < run.count && found.length < limit; at += 1)
          found.push(commitAt(lines[at], run.place + at));
      }
      if (runs.length === 0 || found.length === limit) return found;
      before = runs.at(-1)!.place;
    }
  }

  find(tenant: string, commitId: string): StoredCommit | undefined {
    for (const { place } of this.#sql.id.all(idKey(commitId))) {
      const commit = this.#at(place);
      if (commit?.tenant === tenant && commit.commitId === commitId) return commit;
    }
    return undefined;
  }

  /** The greatest key of an id that sorts by time; -1 when there is none. */
  newestId(): number {
    return this.#sql.newest.get()?.id ?? -1;
  }

  /** Version of a stream; 0 = nothing of it is in the index. */
  version(tenant: string, stream: string): number {
    const key = streamKey(tenant, stream);
    for (let skip = 0; ; skip += 1) {
      const row = this.#sql.head.get(key, skip);
      if (!row) return 0;
      const commit = this.#at(row.place);
      const touched = commit?.tenant === tenant && commit.streams.find(({ id }) => id === stream);
      if (touched) return touched.after;
    }
  }

  /** Commits that touch a stream after a version. */
  touching(tenant: string, stream: string, after: number): readonly StoredCommit[] {
    const found: StoredCommit[] = [];
    const key = streamKey(tenant, stream);
    for (let from = [after, Number.MAX_SAFE_INTEGER] as const; ;) {
      const rows = this.#sql.touches.all(key, ...from, ahead);
      for (const run of rows) {
        const commit = this.#commitIn(run, run.touched);
        if (commit?.tenant === tenant && touches(commit, stream, after)) found.push(commit);
      }
      const last = rows.at(-1);
      if (!last || rows.length < ahead) return found;
      from = [last.after, last.touched];
    }
  }

  #at(place: number): StoredCommit | undefined {
    const run = this.#holding(place);
    return run && this.#commitIn(run, place);
  }

  /** The commit at a place; undefined when the run ends before it, and when the row is gone. Throws `Damaged`. */
  #commitIn(run: Run, place: number): StoredCommit | undefined {
    const lines = place - run.place < run.count ? this.#linesOf(run) : undefined;
    return lines && commitAt(lines[place - run.place], place);
  }

  #linesOf({ place, row, lines, first, count }: Run): readonly string[] | undefined {
    if (lines !== null) return lines.split('\n', first + count).slice(first);
    return this.#archived.row(atPlace(place).lane, row)?.lines.split('\n', count);
  }

  /** The run in which a place is, or would be. */
  #holding(place: number): Run | undefined {
    return this.#sql.last.get(atPlace(place).lane * laneSpan, place + 1);
  }
}

/** The commit at a place, in its line. Throws `Damaged`. */
function commitAt(line: string | undefined, place: number): StoredCommit {
  const commit = storedLine(line);
  if (commit) return commit;
  const { lane, position } = atPlace(place);
  throw new Damaged(lane, position);
}

/** A line that no index places: what it says of its place is believed, if it says so. */
function damagedLine(line: string, row: number): never {
  const [, lane, position] = /^\[(\d{1,3}),(\d{1,15}),/.exec(line) ?? [];
  if (position !== undefined) throw new Damaged(Number(lane), Number(position));
  throw new Corrupted(`row ${row} of the newest commits is damaged`);
}
