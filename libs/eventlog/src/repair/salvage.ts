import type { Database } from '@lyceum/sqlite';
import { atPlace, laneSpan } from '../lane.ts';
import { storedLine } from '../storage/line.ts';
import { Corrupted } from '../errors.ts';
import { checkFormat } from '../sqlite/schema.ts';
import { type SalvagedRow, SalvagedRows, readable } from './salvaged-rows.ts';
import type { StoredCommit } from '../storage/store.ts';

/** A line of a row, by numbers that fit into one. */
const linesOfRow = 2 ** 20;

/** Rows of the index read at once. */
const page = 256;

/** Damaged lines, and the places that they begin with, where they do. */
type Lost = Map<number, number | undefined>;

/** What can be read of one lane. */
interface SalvagedLane {
  /** By position: where the commits that say that they have it are; as a rule one. */
  readonly commits: Map<number, number | readonly number[]>;
  /** Positions of lines that are there and cannot be read. */
  readonly damaged: Set<number>;
  /** The newest position that anything in the file names. */
  end: number;
}

/**
 * What is left of a log's file, however damaged: each line is believed if its checksum fits, wherever the index thinks that it
 * is. Changes nothing. Rows that the engine cannot read count as damaged.
 */
export class Salvage {
  readonly lanes: readonly SalvagedLane[];
  /** Damaged lines whose place nothing shows. */
  readonly unplaced: number;
  readonly #rows: SalvagedRows;
  #last: (SalvagedRow & { readonly lane: number }) | undefined;

  /**
   * Throws `Corrupted` when not even the number of lanes, or of rows, can be read, and `LogUnfit` when a later release has
   * written the log: what it keeps elsewhere would look as if it were lost.
   */
  constructor(database: Database) {
    const { format, lanes, last } = sizeOf(database);
    checkFormat(format);
    this.#rows = new SalvagedRows(database);
    this.lanes = Array.from({ length: lanes }, () => ({ commits: new Map(), damaged: new Set<number>(), end: 0 }));
    const lost: Lost = new Map();
    for (const row of this.#rows.all(last)) this.#read(row, lost);
    this.unplaced = this.#place(database, lost);
  }

  /** The commit at a position that names this predecessor, else one that names another; undefined when there is none. */
  at(lane: number, position: number, prev?: string): StoredCommit | undefined {
    const places = [this.lanes[lane]?.commits.get(position) ?? []].flat();
    const found = places.flatMap((place) => this.#commit(lane, place) ?? []);
    return found.find((commit) => commit.prev === prev) ?? found[0];
  }

  #commit(lane: number, place: number): StoredCommit | undefined {
    const id = Math.floor(place / linesOfRow);
    if (this.#last?.id !== id || this.#last.lane !== lane) {
      const { first = 0, lines = [] } = this.#rows.row(lane, id) ?? {};
      this.#last = { lane, id, first, lines };
    }
    return storedLine(this.#last.lines[(place % linesOfRow) - this.#last.first]);
  }

  /** Takes what can be believed of a row; what cannot is lost. */
  #read({ id, first, lines }: SalvagedRow, lost: Lost): void {
    for (const [index, line] of lines.entries()) {
      const place = id * linesOfRow + first + index;
      const commit = storedLine(line);
      const lane = commit && this.lanes[commit.lane];
      if (!lane) {
        lost.set(place, placeIn(line));
        continue;
      }
      const there = lane.commits.get(commit.position);
      lane.commits.set(commit.position, there === undefined ? place : [there, place].flat());
      lane.end = Math.max(lane.end, commit.position);
    }
  }

  /** Where damaged and missing lines were, by the index of the file, else by what they say themselves. */
  #place(database: Database, lost: Lost): number {
    const indexed = new Map<number, number>();
    const blocks = new Set<number>();
    for (const { place, row, first, count } of runsIn(database)) {
      const { lane, position } = atPlace(place);
      const salvaged = this.lanes[lane];
      if (salvaged) salvaged.end = Math.max(salvaged.end, position + count - 1);
      const block = this.#rows.unreadableBlock(lane, row);
      if (block !== undefined) blocks.add(block);
      for (let index = 0; index < count; index += 1) {
        const at = row * linesOfRow + first + index;
        if (lost.has(at)) indexed.set(at, place + index);
        if (block !== undefined) salvaged?.damaged.add(position + index);
      }
    }
    // Nothing tells how many commits there were in a block that the index does not lead to.
    let unplaced = this.#rows.unreadableBlocks - blocks.size;
    for (const [at, claimed] of lost) if (!this.#damaged(indexed.get(at) ?? claimed)) unplaced += 1;
    return unplaced;
  }

  #damaged(place: number | undefined): boolean {
    const { lane, position } = place === undefined ? { lane: -1, position: 0 } : atPlace(place);
    const salvaged = this.lanes[lane];
    salvaged?.damaged.add(position);
    if (salvaged) salvaged.end = Math.max(salvaged.end, position);
    return salvaged !== undefined;
  }
}

/** The place that a damaged line begins with. */
function placeIn(line: string): number | undefined {
  const [, lane, position] = /^\[(\d{1,3}),(\d{1,9}),/.exec(line) ?? [];
  return position === undefined ? undefined : Number(lane) * laneSpan + Number(position);
}

interface Run {
  readonly place: number;
  readonly row: number;
  readonly first: number;
  readonly count: number;
}

/** The index of the commits, as far as the engine can read it. */
function* runsIn(database: Database): Iterable<Run> {
  const runs = database.prepare<Run>(
    'SELECT place, row, first, count FROM runs WHERE place > ? ORDER BY place LIMIT ?',
  );
  for (let after = 0; ;) {
    const some = readable(() => runs.all(after, page)) ?? [];
    yield* some;
    const last = some.at(-1);
    if (!last) return;
    after = last.place;
  }
}

function sizeOf(database: Database): { readonly format: number; readonly lanes: number; readonly last: number } {
  try {
    const { format, lanes } = database
      .prepare<{ format: number; lanes: number }>('SELECT format, lanes FROM log')
      .get()!;
    const { last } = database.prepare<{ last: number | null }>('SELECT max(id) AS last FROM commits').get()!;
    return { format, lanes, last: last ?? 0 };
  } catch (cause) {
    throw new Corrupted('the file is so damaged that nothing can be told of what it held', { cause });
  }
}
