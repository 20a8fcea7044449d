/** One row: a number that stands for a name, the version it leads to (0 where there is none), and a commit's place. */
export type PlaceRow = readonly [key: number, version: number, place: number];

const none: readonly number[] = [];

/** Places by number, in memory. Columns of numbers and no object for each row, which the garbage collector would visit. */
export class PlaceIndex {
  readonly #keys: number[] = [];
  readonly #versions: number[] = [];
  readonly #places: number[] = [];
  /** The newest row of a slot. */
  readonly #newest = new Map<number, number>();
  /** The row before a row in its slot, or -1. */
  readonly #before: number[] = [];

  get size(): number {
    return this.#keys.length;
  }

  /** `slot`: a small integer that rows are looked up by, of which several may share one. */
  add(slot: number, [key, version, place]: PlaceRow): void {
    this.#before.push(this.#newest.get(slot) ?? -1);
    this.#newest.set(slot, this.#keys.length);
    this.#keys.push(key);
    this.#versions.push(version);
    this.#places.push(place);
  }

  /** Places of a slot with a version greater than `after`, the newest first. */
  places(slot: number, after = -1): readonly number[] {
    let row = this.#newest.get(slot) ?? -1;
    if (row < 0) return none;
    const found: number[] = [];
    for (; row >= 0; row = this.#before[row]!) if (this.#versions[row]! > after) found.push(this.#places[row]!);
    return found;
  }

  /**
   * The numbers of all rows by ascending key, but for the lowest bits of it, which make room for the number: so the engine
   * sorts plain numbers, several times as fast, and neighbours are what matters.
   */
  sorted(): readonly number[] {
    const room = 2 ** Math.ceil(Math.log2(this.size + 1));
    const within = (value: number): number => value - Math.floor(value / room) * room;
    const marked = Float64Array.from(this.#keys, (key, row) => key - within(key) + row);
    return Array.from(marked.sort(), within);
  }

  row(row: number): PlaceRow {
    return [this.#keys[row]!, this.#versions[row]!, this.#places[row]!];
  }

  /** The greatest key; -1 when there is no greater one. */
  greatest(): number {
    return this.#keys.reduce((greatest, key) => Math.max(greatest, key), -1);
  }
}
