/** Who waits: for one school, or for nobody in particular. */
interface Waits {
  readonly school: string | undefined;
}

/** How many times what is free a school may use; the more of them are busy, the less each. */
const factor = 3;
/**
 * Shares a number of places between schools: a school may use three times as many as are free, so that one alone has three
 * quarters and the next one always finds a place. Each school has a line of its own, and the lines take turns, or as much
 * of what is shared as the others. What
 * belongs to no school is not held back.
 * @see Choudhury and Hahne, "Dynamic queue length thresholds", 1998
 */
export class FairLine<W extends Waits> {
  readonly #most: number;
  readonly #longest: number;
  readonly #used = new Map<string | undefined, number>();
  /** Lines by school; the one at the beginning is next. None is empty. */
  readonly #lines = new Map<string | undefined, W[]>();
  /** What has been done for schools since somebody waits, by what `charge` was told. */
  readonly #charged = new Map<string | undefined, number>();
  /** What had been done for the one who was next last: who comes now begins there, and makes up for no idle time. */
  #level = 0;
  #inUse = 0;
  #waiting = 0;

  /** `most` places; so many at most wait in the line of one school. */
  constructor(most: number, longest = 512) {
    this.#most = most;
    this.#longest = longest;
  }

  /** Whether a school may have another place now. */
  mayTake(school: string | undefined): boolean {
    const free = this.#most - this.#inUse;
    return free > 0 && (school === undefined || (this.#used.get(school) ?? 0) < factor * free);
  }

  took(school: string | undefined): void {
    this.#inUse += 1;
    this.#used.set(school, (this.#used.get(school) ?? 0) + 1);
  }

  gave(school: string | undefined): void {
    this.#inUse -= 1;
    const left = this.#used.get(school)! - 1;
    if (left > 0) this.#used.set(school, left);
    else this.#used.delete(school);
  }

  /** Whether anybody stands in the line of a school: whoever comes now stands behind. */
  hasLine(school: string | undefined): boolean {
    return this.#lines.has(school);
  }

  /** Stands in line; false when the line is too long. */
  join(waiting: W): boolean {
    const line = this.#lines.get(waiting.school);
    if ((line?.length ?? 0) >= this.#longest) return false;
    this.#waiting += 1;
    if (line) line.push(waiting);
    else {
      this.#lines.set(waiting.school, [waiting]);
      this.#charged.set(waiting.school, Math.max(this.#level, this.#charged.get(waiting.school) ?? 0));
    }
    return true;
  }

  /** Something was done for a school: it is next when no other one that waits has had less. */
  charge(school: string | undefined, cost: number): void {
    const charged = this.#charged.get(school);
    if (charged !== undefined) this.#charged.set(school, charged + cost);
  }

  /**
   * The one whose turn it is, out of the line: of the school for which least was done, in turns where it is the same.
   * Undefined when nobody who waits may have a place now. `longest`: lines of more are passed over.
   */
  next(longest = Infinity): W | undefined {
    let least = Infinity;
    let of: string | undefined;
    for (const [school, { length }] of this.#lines) {
      const charged = this.#charged.get(school)!;
      if (charged < least && length <= longest && this.mayTake(school)) [least, of] = [charged, school];
    }
    if (least === Infinity) return undefined;
    this.#level = least;
    const line = this.#lines.get(of)!;
    const waiting = line.shift()!;
    this.#waiting -= 1;
    this.#lines.delete(of);
    if (line.length > 0) this.#lines.set(of, line);
    else this.#forget();
    return waiting;
  }

  /** Where nobody waits, nobody has to be made up for. */
  #forget(): void {
    if (this.#lines.size > 0) return;
    this.#charged.clear();
    this.#level = 0;
  }

  /** How many wait, of all schools. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Whether anybody waits. */
  get isWaitedFor(): boolean {
    return this.#lines.size > 0;
  }

  leave(waiting: W): void {
    const line = this.#lines.get(waiting.school);
    const index = line?.indexOf(waiting) ?? -1;
    if (index === -1) return;
    line!.splice(index, 1);
    this.#waiting -= 1;
    if (line!.length > 0) return;
    this.#lines.delete(waiting.school);
    this.#forget();
  }

  /** Everybody who waits in a line of more than so many. */
  everybody(few = 0): readonly W[] {
    return [...this.#lines.values()].filter(({ length }) => length > few).flat();
  }
}
