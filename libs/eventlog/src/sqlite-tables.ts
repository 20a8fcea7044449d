import type { Database } from '@lyceum/sqlite';
import { atPlace, laneSpan, placeOf } from './lane.ts';
import { fromLine } from './line.ts';
import type { PlaceRow } from './place-index.ts';
import { idKey, streamKey } from './sqlite-key.ts';
import { type StoredCommit, touches } from './store.ts';

/** Commits in a segment at most, and characters after which it takes no further one. */
const segment = { commits: 32, size: 16_384 };

interface SegmentRow {
  readonly place: number;
  readonly commits: string;
}

const segmentsOfLane = 'SELECT place, commits FROM segments WHERE place > ? AND place < ? ORDER BY place';

/** The statements of a log, compiled once. Each read is one point or one range of an index. */
const statements = (db: Database) => ({
  journal: db.prepare<{ id: number; commits: string }>('SELECT id, commits FROM journal ORDER BY id'),
  addJournal: db.prepare('INSERT INTO journal (id, commits) VALUES (?, ?)'),
  clearJournal: db.prepare('DELETE FROM journal WHERE id <= ?'),
  last: db.prepare<SegmentRow>(`${segmentsOfLane} DESC LIMIT 1`),
  range: db.prepare<SegmentRow>(`${segmentsOfLane} LIMIT ?`),
  addSegment: db.prepare('INSERT INTO segments (place, commits) VALUES (?, ?)'),
  id: db.prepare<{ place: number }>('SELECT place FROM ids WHERE id = ?'),
  newest: db.prepare<{ id: number }>('SELECT id FROM ids WHERE id >= 0 ORDER BY id DESC LIMIT 1'),
  // What a crash left half moved is moved again.
  addIds: db.prepare(`INSERT OR IGNORE INTO ids (id, place) SELECT value ->> 0, value ->> 2 FROM json_each(?)`),
  touches: db.prepare<{ place: number }>('SELECT place FROM touches WHERE stream = ? AND after > ?'),
  head: db.prepare<{ place: number }>(
    'SELECT place FROM touches WHERE stream = ? ORDER BY after DESC, place DESC LIMIT 1 OFFSET ?',
  ),
  addTouches: db.prepare(`INSERT OR IGNORE INTO touches (stream, after, place)
    SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`),
});

/** The tables of a log: what has been moved out of the journal, and the journal itself. */
export class SqliteTables {
  readonly #sql: ReturnType<typeof statements>;

  constructor(database: Database) {
    this.#sql = statements(database);
  }

  /** Every row of the journal, in the order written. */
  journal(): readonly { readonly id: number; readonly commits: readonly StoredCommit[] }[] {
    return this.#sql.journal.all().map(({ id, commits }) => ({ id, commits: commits.split('\n').map(fromLine) }));
  }

  /** Adds a row: the lines of some commits. */
  addJournal(id: number, lines: string): void {
    this.#sql.addJournal.run(id, lines);
  }

  /** Forgets the journal up to a row. */
  clearJournal(upTo: number): void {
    this.#sql.clearJournal.run(upTo);
  }

  /** The newest commit of a lane that has been moved. */
  last(lane: number): StoredCommit | undefined {
    const line = this.#sql.last
      .get(lane * laneSpan, (lane + 1) * laneSpan)
      ?.commits.split('\n')
      .at(-1);
    return line === undefined ? undefined : fromLine(line);
  }

  /** Up to `limit` commits of a lane from a position on, ascending. */
  range(lane: number, from: number, limit: number): StoredCommit[] {
    const found: StoredCommit[] = [];
    const end = (lane + 1) * laneSpan;
    for (let before = (this.#holding(placeOf({ lane, position: from }))?.place ?? lane * laneSpan + from) - 1; ;) {
      const rows = this.#sql.range.all(before, end, Math.ceil((limit - found.length) / segment.commits) + 1);
      for (const { place, commits } of rows)
        for (const line of commits.split('\n').slice(Math.max(from - atPlace(place).position, 0)))
          if (found.length < limit) found.push(fromLine(line));
      if (rows.length === 0 || found.length === limit) return found;
      before = rows.at(-1)!.place;
    }
  }

  /** Adds the lines of one lane, from an index on, as one segment. Returns how many it took: the others need another one. */
  addSegment(place: number, lines: readonly string[], from: number): number {
    let to = from;
    for (let size = 0; to < lines.length && to - from < segment.commits && size < segment.size; to += 1)
      size += lines[to]!.length;
    this.#sql.addSegment.run(place, lines.slice(from, to).join('\n'));
    return to - from;
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

  addIds(rows: readonly PlaceRow[]): void {
    this.#sql.addIds.run(JSON.stringify(rows));
  }

  /** Version of a stream; 0 = nothing of it has been moved. */
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
    let first = 0;
    let lines: readonly string[] = [];
    for (const { place } of this.#sql.touches.all(streamKey(tenant, stream), after)) {
      if (lines[place - first] === undefined) {
        const row = this.#holding(place);
        first = row?.place ?? 0;
        lines = row?.commits.split('\n') ?? [];
      }
      const line = lines[place - first];
      const commit = line === undefined ? undefined : fromLine(line);
      if (commit?.tenant === tenant && touches(commit, stream, after)) found.push(commit);
    }
    return found;
  }

  addTouches(rows: readonly PlaceRow[]): void {
    this.#sql.addTouches.run(JSON.stringify(rows));
  }

  #at(place: number): StoredCommit | undefined {
    const row = this.#holding(place);
    const line = row?.commits.split('\n')[place - row.place];
    return line === undefined ? undefined : fromLine(line);
  }

  /** The segment in which a place is, or would be. */
  #holding(place: number): SegmentRow | undefined {
    return this.#sql.last.get(atPlace(place).lane * laneSpan, place + 1);
  }
}
