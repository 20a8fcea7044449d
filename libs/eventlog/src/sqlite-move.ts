import { placeOf } from './lane.ts';
import type { RecentCommits } from './recent.ts';
import { idKey, streamKey } from './sqlite-key.ts';
import type { IdRow, SqliteTables, TouchRow } from './sqlite-tables.ts';

/** Rows of the journal that one step forgets. */
const cleared = 16;

/** What moves, and where it stands: `moved` is the last position of each lane in the tables, and is kept up to date. */
export interface Move {
  readonly commits: RecentCommits;
  readonly moved: number[];
  /** Their rows of the journal. */
  readonly first: number;
  readonly last: number;
}

/**
 * Moves commits from the journal to the tables in steps, each of which is told how many rows it may write. The caller may
 * commit between them: the journal is forgotten last, and what a crash left half moved is moved again.
 */
export function* moving(tables: SqliteTables, move: Move): Generator<void, void, number> {
  yield* segments(tables, move);
  yield* inSteps(touchRows(move.commits), (rows) => tables.addTouches(rows));
  yield* inSteps(idRows(move.commits), (rows) => tables.addIds(rows));
  for (let row = move.first; row <= move.last; row += cleared) {
    yield;
    tables.clearJournal(Math.min(row + cleared - 1, move.last));
  }
}

function* segments(tables: SqliteTables, { commits, moved }: Move): Generator<void, void, number> {
  let size = yield;
  for (const [lane, first, lines] of commits.lines())
    for (let at = Math.max((moved[lane] ?? 0) + 1 - first, 0); at < lines.length;) {
      if (size <= 0) size = yield;
      const taken = tables.addSegment(placeOf({ lane, position: first + at }), lines, at);
      size -= taken;
      at += taken;
      moved[lane] = first + at - 1;
    }
}

function* inSteps<Row>(rows: readonly Row[], add: (rows: readonly Row[]) => void): Generator<void, void, number> {
  for (let at = 0; at < rows.length;) {
    const size: number = yield;
    add(rows.slice(at, at + size));
    at += size;
  }
}

/** Sorted, so that neighbours share a page. */
function touchRows(commits: RecentCommits): readonly TouchRow[] {
  const rows: TouchRow[] = [];
  for (const [tenant, stream, , touched] of commits.streams()) {
    const key = streamKey(tenant, stream);
    for (let at = 0; at < touched.length; at += 2) rows.push([key, touched[at]!, touched[at + 1]!]);
  }
  return rows.sort((a, b) => a[0] - b[0]);
}

const idRows = (commits: RecentCommits): readonly IdRow[] =>
  Array.from(commits.ids(), ([id, place]): IdRow => [idKey(id), place]).sort((a, b) => a[0] - b[0]);
