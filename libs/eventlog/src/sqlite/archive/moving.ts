import type { Database } from '@lyceum/sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { storedLine } from '../../storage/line.ts';
import { archivedFormat } from '../schema.ts';
import { blockId } from './archived-rows.ts';
import type { LaneRow } from './block.ts';

/** Rows that follow each other in `commits` and are moved together, sorted by lane. */
export interface Batch {
  readonly rows: readonly number[];
  readonly lanes: ReadonlyMap<number, readonly LaneRow[]>;
  readonly commits: number;
  /** Characters of the lines. */
  readonly size: number;
  /** The last row that was looked at. */
  readonly last: number;
}

/** Rows of one lane in a block, which is compressed. */
export interface MadeBlock {
  readonly lane: number;
  readonly first: number;
  readonly last: number;
  readonly content: Uint8Array;
}

/** A row whose lines are all as they were written. */
interface SoundRow {
  readonly row: number;
  readonly lanes: ReadonlyMap<number, { readonly first: number; readonly lines: string[] }>;
  readonly commits: number;
  /** Milliseconds since the epoch: when its newest commit was made. */
  readonly newest: number;
}

interface StoredRow {
  readonly id: number;
  readonly lines: string;
}

const statements = (database: Database) => ({
  row: database.prepare<StoredRow>('SELECT id, lines FROM commits WHERE id > ? AND id <= ? ORDER BY id LIMIT 1'),
  indexed: database.prepare<{ indexed: number }>('SELECT indexed FROM log WHERE id = 1'),
  insert: database.prepare('INSERT INTO archived (id, first, rows) VALUES (?, ?, ?)'),
  remove: database.prepare('DELETE FROM commits WHERE id >= ? AND id <= ?'),
  format: database.prepare('UPDATE log SET format = ? WHERE id = 1 AND format < ?'),
});

/** Characters that are read and checked in one turn of the event loop. */
const sizeOfTurn = 64 * 1024;

/** Finds rows that are old enough for the archive, and moves them. */
export class Moving {
  readonly #sql: ReturnType<typeof statements>;

  constructor(database: Database) {
    this.#sql = statements(database);
  }

  /**
   * The next rows after one, all older than a time and in the index, with as many characters together as `size`, or the last
   * of them more; undefined when there are fewer. No other row is between them: one with a damaged line stays where it is,
   * for a repair to find it there, and ends the batch.
   */
  async next(after: number, before: number, size: number): Promise<Batch | undefined> {
    const indexed = this.#sql.indexed.get()?.indexed ?? 0;
    const batch = new GrowingBatch(after);
    let turn = sizeOfTurn;
    for (;;) {
      const stored = this.#sql.row.get(batch.last, indexed);
      if (!stored) return undefined;
      const sound = soundRow(stored);
      if (sound && !(sound.newest < before)) return undefined;
      batch.last = stored.id;
      if (sound) batch.add(sound, stored.lines.length);
      if (batch.rows.length > 0 && (!sound || batch.size >= size)) return batch;
      if (batch.size < turn) continue;
      turn = batch.size + sizeOfTurn;
      await nextTurn();
    }
  }

  /** Puts blocks in the place of their rows, in the open transaction. From now on a release before this one refuses the log. */
  move(rows: readonly number[], blocks: readonly MadeBlock[]): void {
    for (const { lane, first, last, content } of blocks) this.#sql.insert.run(blockId(lane, last), first, content);
    const { changes } = this.#sql.remove.run(rows[0]!, rows.at(-1)!);
    if (changes !== rows.length) throw new Error(`${changes} rows would go, and the blocks have ${rows.length}`);
    this.#sql.format.run(archivedFormat, archivedFormat);
  }
}

class GrowingBatch implements Batch {
  readonly rows: number[] = [];
  readonly lanes = new Map<number, LaneRow[]>();
  commits = 0;
  size = 0;
  last: number;

  constructor(last: number) {
    this.last = last;
  }

  add({ row, lanes, commits }: SoundRow, size: number): void {
    this.rows.push(row);
    this.commits += commits;
    this.size += size;
    for (const [lane, { first, lines }] of lanes) {
      const rows = this.lanes.get(lane) ?? [];
      rows.push({ row, first, lines: lines.join('\n') });
      this.lanes.set(lane, rows);
    }
  }
}

/**
 * Undefined when a line is damaged, or not beside the others of its lane. Lines of older releases get the checksum that those
 * of today have.
 */
function soundRow({ id, lines: text }: StoredRow): SoundRow | undefined {
  const lanes = new Map<number, { readonly first: number; readonly lines: string[] }>();
  let newest = -Infinity;
  const all = text.split('\n');
  for (const [index, line] of all.entries()) {
    const commit = storedLine(line);
    if (!commit) return undefined;
    newest = Math.max(newest, Date.parse(commit.at));
    let lane = lanes.get(commit.lane);
    if (!lane) lanes.set(commit.lane, (lane = { first: index, lines: [] }));
    if (lane.first + lane.lines.length !== index) return undefined;
    lane.lines.push(line.endsWith(']') ? `${line}\t${crc32(line)}` : line);
  }
  return { row: id, lanes, commits: all.length, newest };
}
