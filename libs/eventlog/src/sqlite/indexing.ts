import type { PlaceIndex, PlaceRow } from '../embedded/place-index.ts';
import type { RecentCommits } from '../embedded/recent.ts';
import type { SqliteTables } from './tables.ts';

/**
 * Writes down where some commits are, in steps, each of which gets the number of rows that it may write. The caller may commit
 * between them: that it is done is written last, and what a crash left half done is done again.
 */
export function* indexing(
  tables: SqliteTables,
  commits: RecentCommits,
  lastRow: number,
): Generator<void, void, number> {
  const runs = commits.runs.toSorted((a, b) => a[0] - b[0]);
  for (let at = 0; at < runs.length;) {
    const size: number = yield;
    tables.addRuns(runs.slice(at, at + size));
    at += size;
  }
  yield* inSteps(commits.touches, (rows) => tables.addTouches(rows));
  yield* inSteps(commits.ids, (rows) => tables.addIds(rows));
  yield;
  tables.indexed(lastRow);
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
