import { Gap } from '../errors.ts';
import type { StoredCommit } from './store.ts';

/**
 * The commits after a position, out of rows that begin with the one at it (with the first one when it is 0). Throws `Gap`
 * at the first position that is missing or does not name its predecessor.
 */
export function chained(lane: number, after: number, rows: readonly StoredCommit[]): readonly StoredCommit[] {
  if (after > 0 && rows[0]?.position !== after) throw new Gap(lane, after);
  let prev = '';
  rows.forEach((row, index) => {
    const position = Math.max(after, 1) + index;
    const follows = index === 0 && after > 0 ? true : row.prev === prev;
    if (row.position !== position || !follows) throw new Gap(lane, position);
    prev = row.commitId;
  });
  return after > 0 ? rows.slice(1) : rows;
}
