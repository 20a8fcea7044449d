import { placeOf } from './lane.ts';
import type { PlaceIndex, PlaceRow } from './place-index.ts';
import type { RecentCommits } from './recent.ts';
import type { SqliteTables } from './sqlite-tables.ts';

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
  yield* inSteps(move.commits.touches, (rows) => tables.addTouches(rows));
  yield* inSteps(move.commits.ids, (rows) => tables.addIds(rows));
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

/** By key, so that neighbours share a page. */
function* inSteps(index: PlaceIndex, add: (rows: readonly PlaceRow[]) => void): Generator<void, void, number> {
  let order: readonly number[] | undefined;
  for (let at = 0; at < index.size;) {
    const size: number = yield;
    order ??= index.sorted();
    add(order.slice(at, at + size).map((row) => index.row(row)));
    at += size;
  }
}
