import { BoundedMap } from '@lyceum/kernel';
import type { Database } from '@lyceum/sqlite';
import { laneSpan } from '../../lane.ts';
import { Block, type LaneRow } from './block.ts';

/** A block: the rows of a lane from `first` on, up to the one that its number ends with. */
export interface Span {
  readonly id: number;
  readonly first: number;
}

/** Bytes of opened blocks that stay at least; at most twice as many. Lanes that are read at the same time have theirs in it. */
const openedBytes = 1024 * 1024;

/** The number of the block that ends with a row. Those of a lane follow each other, and a lane follows another. */
export const blockId = (lane: number, lastRow: number): number => lane * laneSpan + lastRow;

/** The newest row that is in the archive; 0 when there is none. */
export function newestArchived(database: Database, lanes: number): number {
  const newest = database.prepare<{ id: number | null }>('SELECT max(id) AS id FROM archived WHERE id > ? AND id < ?');
  const ids = Array.from({ length: lanes }, (_, lane) => newest.get(lane * laneSpan, (lane + 1) * laneSpan)?.id ?? 0);
  return Math.max(...ids.map((id) => id % laneSpan));
}

/** The rows of a log that are in its archive. A block is opened where one of its rows is asked for, and kept for a while. */
export class ArchivedRows {
  readonly #opened = new BoundedMap<number, Block>(openedBytes, ({ size }) => size);
  readonly #span;
  readonly #stored;
  /** The block that was used last. */
  #used: Span | undefined;

  /** The database must have the schema of a log. */
  constructor(database: Database) {
    this.#span = database.prepare<Span>('SELECT id, first FROM archived WHERE id >= ? ORDER BY id LIMIT 1');
    this.#stored = database.prepare<{ rows: Uint8Array }>('SELECT rows FROM archived WHERE id = ?');
  }

  /** The first block with this number or a later one. */
  spanFrom(id: number): Span | undefined {
    return this.#span.get(id);
  }

  /** All rows of a block; undefined when nothing says which they are. */
  rowsIn({ id }: Span): readonly LaneRow[] | undefined {
    return this.#block(id).rows();
  }

  /** What a row has of a lane, or what is left of it; undefined when it is not archived. */
  row(lane: number, row: number): LaneRow | undefined {
    const id = blockId(lane, row);
    const span = this.#used && isIn(this.#used, id) ? this.#used : this.spanFrom(id);
    if (!span || !isIn(span, id)) return undefined;
    this.#used = span;
    return this.#block(span.id).row(row);
  }

  #block(id: number): Block {
    const known = this.#opened.get(id);
    if (known) return known;
    const block = new Block(this.#stored.get(id)?.rows ?? new Uint8Array());
    this.#opened.set(id, block);
    return block;
  }
}

/** Whether a row of a lane, numbered as a block that would end with it, lies between the first and the last row of a block. */
export const isIn = ({ id, first }: Span, row: number): boolean => row <= id && row >= id - (id % laneSpan) + first;
