import type { Database } from '@lyceum/sqlite';
import { ArchivedRows, type Span, isIn, blockId } from '../sqlite/archive/archived-rows.ts';

/** Rows read at once. */
const page = 256;

/** Lines of a row that are there: all of it, or those of a lane, of which the first has this number in the row. */
export interface SalvagedRow {
  readonly id: number;
  readonly first: number;
  readonly lines: readonly string[];
}

interface Stored {
  readonly id: number;
  readonly lines: unknown;
}

/** The rows of a log's file that the engine can read, in the archive or not. Changes nothing. */
export class SalvagedRows {
  readonly #database: Database;
  readonly #row: (id: number) => Stored | undefined;
  readonly #archived: ArchivedRows | undefined;
  /** Blocks of the archive that do not even say which rows they have. */
  readonly #unreadable = new Map<number, Span>();

  /** Throws the engine's error when there is no table of commits. */
  constructor(database: Database) {
    this.#database = database;
    const row = database.prepare<Stored>('SELECT id, lines FROM commits WHERE id = ?');
    this.#row = (id) => readable(() => row.get(id));
    // A file of a release before has no archive.
    this.#archived = readable(() => new ArchivedRows(database));
  }

  /** Every row once, up to the one with this number. */
  *all(last: number): Iterable<SalvagedRow> {
    const many = this.#database.prepare<Stored>('SELECT id, lines FROM commits WHERE id > ? AND id <= ? ORDER BY id');
    for (let from = 0; from < last; from += page) {
      const to = Math.min(from + page, last);
      yield* (readable(() => many.all(from, to)) ?? this.#oneByOne(from, to)).map(salvaged);
    }
    yield* this.#allArchived();
  }

  /** What a row has of a lane, and perhaps of others. */
  row(lane: number, id: number): SalvagedRow | undefined {
    const stored = this.#row(id);
    if (stored) return salvaged(stored);
    const archived = readable(() => this.#archived?.row(lane, id));
    return archived && { id, first: archived.first, lines: archived.lines.split('\n') };
  }

  /** The number of the unreadable block that a row of a lane is in, if it is. */
  unreadableBlock(lane: number, row: number): number | undefined {
    if (this.#unreadable.size === 0) return undefined;
    return [...this.#unreadable.values()].find((span) => isIn(span, blockId(lane, row)))?.id;
  }

  get unreadableBlocks(): number {
    return this.#unreadable.size;
  }

  /** The rows of a page that the engine cannot read as a whole. */
  #oneByOne(from: number, to: number): readonly Stored[] {
    const ids = Array.from({ length: to - from }, (_, index) => from + 1 + index);
    return ids.flatMap((id) => this.#row(id) ?? []);
  }

  *#allArchived(): Iterable<SalvagedRow> {
    const archived = this.#archived;
    if (!archived) return;
    for (let after = 0; ;) {
      const span = readable(() => archived.spanFrom(after + 1));
      if (!span) return;
      const rows = readable(() => archived.rowsIn(span));
      if (!rows) this.#unreadable.set(span.id, span);
      for (const { row, first, lines } of rows ?? []) yield { id: row, first, lines: lines.split('\n') };
      after = span.id;
    }
  }
}

const salvaged = ({ id, lines }: Stored): SalvagedRow => ({
  id,
  first: 0,
  lines: typeof lines === 'string' ? lines.split('\n') : [''],
});

/** Undefined when the engine cannot read it. */
export function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
