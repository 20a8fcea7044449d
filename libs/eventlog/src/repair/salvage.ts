import type { Database } from '@lyceum/sqlite';
import { atPlace, laneSpan } from '../lane.ts';
import { storedLine } from '../storage/line.ts';
import { Corrupted } from '../errors.ts';
import type { StoredCommit } from '../storage/store.ts';

/** A line of a row, by numbers that fit into one. */
const linesOfRow = 2 ** 20;

/** Rows read at once. */
const page = 256;

interface Stored {
  readonly id: number;
  readonly lines: unknown;
}

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
  readonly #row: (id: number) => Stored | undefined;
  #last: { readonly id: number; readonly lines: readonly string[] } | undefined;

  /** Throws `Corrupted` when not even the number of lanes, or of rows, can be read. */
  constructor(database: Database) {
    const row = database.prepare<Stored>('SELECT id, lines FROM commits WHERE id = ?');
    this.#row = (id) => row.get(id);
    const { lanes, last } = sizeOf(database);
    this.lanes = Array.from({ length: lanes }, () => ({ commits: new Map(), damaged: new Set<number>(), end: 0 }));
    const lost = this.#readAll(database, last);
    this.unplaced = this.#place(database, lost);
  }

  /** The commit at a position that names this predecessor, else one that names another; undefined when there is none. */
  at(lane: number, position: number, prev?: string): StoredCommit | undefined {
    const places = [this.lanes[lane]?.commits.get(position) ?? []].flat();
    const found = places.flatMap((place) => this.#commit(place) ?? []);
    return found.find((commit) => commit.prev === prev) ?? found[0];
  }

  #commit(place: number): StoredCommit | undefined {
    const id = Math.floor(place / linesOfRow);
    if (this.#last?.id !== id) this.#last = { id, lines: linesIn(this.#row(id)) };
    return storedLine(this.#last.lines[place % linesOfRow]);
  }

  /** Reads every row. Gives the lines that say nothing that can be believed. */
  #readAll(database: Database, last: number): readonly number[] {
    const lost: number[] = [];
    const many = database.prepare<Stored>('SELECT id, lines FROM commits WHERE id > ? AND id <= ? ORDER BY id');
    for (let from = 0; from < last; from += page) {
      const to = Math.min(from + page, last);
      for (const row of readable(() => many.all(from, to)) ?? this.#oneByOne(from, to)) this.#read(row, lost);
    }
    return lost;
  }

  /** The rows of a page that the engine cannot read as a whole. */
  #oneByOne(from: number, to: number): readonly Stored[] {
    const ids = Array.from({ length: to - from }, (_, index) => from + 1 + index);
    return ids.flatMap((id) => readable(() => this.#row(id)) ?? []);
  }

  #read(row: Stored, lost: number[]): void {
    for (const [index, line] of linesIn(row).entries()) {
      const place = row.id * linesOfRow + index;
      const commit = storedLine(line);
      const lane = commit && this.lanes[commit.lane];
      if (!lane) {
        lost.push(place);
        continue;
      }
      const there = lane.commits.get(commit.position);
      lane.commits.set(commit.position, there === undefined ? place : [there, place].flat());
      lane.end = Math.max(lane.end, commit.position);
    }
  }

  /** Where damaged and missing lines were, by the index of the file, else by what they say themselves. */
  #place(database: Database, lost: readonly number[]): number {
    const places = new Map(lost.map((place) => [place, undefined as number | undefined]));
    const runs = database.prepare<Run>(
      'SELECT place, row, first, count FROM runs WHERE place > ? ORDER BY place LIMIT ?',
    );
    for (let after = 0; ;) {
      const some = readable(() => runs.all(after, page)) ?? [];
      for (const { place, row, first, count } of some) {
        const { lane, position } = atPlace(place);
        const salvaged = this.lanes[lane];
        if (salvaged) salvaged.end = Math.max(salvaged.end, position + count - 1);
        for (let index = 0; index < count; index += 1) {
          const at = row * linesOfRow + first + index;
          if (places.has(at)) places.set(at, place + index);
        }
      }
      const last = some.at(-1);
      if (!last) break;
      after = last.place;
    }
    let unplaced = 0;
    for (const [at, place] of places) if (!this.#damaged(place ?? this.#positionIn(at))) unplaced += 1;
    return unplaced;
  }

  #damaged(place: number | undefined): boolean {
    const { lane, position } = place === undefined ? { lane: -1, position: 0 } : atPlace(place);
    const salvaged = this.lanes[lane];
    salvaged?.damaged.add(position);
    if (salvaged) salvaged.end = Math.max(salvaged.end, position);
    return salvaged !== undefined;
  }

  /** The place that a damaged line begins with. */
  #positionIn(at: number): number | undefined {
    const id = Math.floor(at / linesOfRow);
    const line = linesIn(this.#row(id))[at % linesOfRow] ?? '';
    const [, lane, position] = /^\[(\d{1,3}),(\d{1,9}),/.exec(line) ?? [];
    return position === undefined ? undefined : Number(lane) * laneSpan + Number(position);
  }
}

interface Run {
  readonly place: number;
  readonly row: number;
  readonly first: number;
  readonly count: number;
}

const linesIn = (row: Stored | undefined): readonly string[] =>
  typeof row?.lines === 'string' ? row.lines.split('\n') : row ? [''] : [];

/** Undefined when the engine cannot read it. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function sizeOf(database: Database): { readonly lanes: number; readonly last: number } {
  try {
    const { lanes } = database.prepare<{ lanes: number }>('SELECT lanes FROM log').get()!;
    const { last } = database.prepare<{ last: number | null }>('SELECT max(id) AS last FROM commits').get()!;
    return { lanes, last: last ?? 0 };
  } catch (cause) {
    throw new Corrupted('the file is so damaged that nothing can be told of what it held', { cause });
  }
}
