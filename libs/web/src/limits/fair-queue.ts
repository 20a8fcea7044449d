/** Something that waits: for a school, or for no school in particular. */
interface Waiting {
  readonly school: string | undefined;
}

/** A school may have so many times the number of free places; the fewer are free, the less each. */
const factor = 3;

/** How much a fair queue holds. */
export interface FairQueueLimits {
  /** Places that the schools share. */
  readonly places: number;
  /** Places of a school while no other one has any; three quarters of `places` when not given. */
  readonly placesAlone?: number;
  /** How many wait for one school, at most; 512 when not given. */
  readonly maxQueued?: number;
}

/**
 * Shares places between schools. A school may take three times as many places as are free: alone it gets three quarters of
 * them, and the next school always finds one. Each school has a queue of its own. The next place goes to the school for
 * which least was done (`charge`), in turns where that is equal. What belongs to no school is not held back.
 * @see Choudhury and Hahne, "Dynamic queue length thresholds", 1998
 */
export class FairQueue<W extends Waiting> {
  readonly #places: number;
  readonly #placesAlone: number;
  /** What one school takes away from the others, at most. */
  readonly #mostOfOne: number;
  readonly #maxQueued: number;
  readonly #running = new Map<string | undefined, number>();
  /** Queues by school; the first one is next. None is empty. */
  readonly #queues = new Map<string | undefined, W[]>();
  /** The cost of what was done, by school, since the queue was empty last. */
  readonly #charged = new Map<string | undefined, number>();
  /** The cost of the school that was next last. A school that joins begins there, so that idle time earns nothing. */
  #level = 0;
  #taken = 0;
  #waiting = 0;

  constructor({ places, placesAlone, maxQueued = 512 }: FairQueueLimits) {
    this.#places = places;
    this.#mostOfOne = Math.ceil((places * factor) / (factor + 1));
    this.#placesAlone = placesAlone ?? this.#mostOfOne;
    this.#maxQueued = maxQueued;
  }

  /** Whether a school may have another place now. `alone`: no other school has needed one lately. */
  mayStart(school: string | undefined, alone = false): boolean {
    const own = this.#running.get(school) ?? 0;
    if (alone) return own < this.#placesAlone;
    const free = this.#places - this.#taken;
    return free > 0 && (school === undefined || own < factor * free);
  }

  started(school: string | undefined): void {
    const own = this.#running.get(school) ?? 0;
    this.#running.set(school, own + 1);
    if (this.#counts(school, own)) this.#taken += 1;
  }

  finished(school: string | undefined): void {
    const left = this.#running.get(school)! - 1;
    if (left > 0) this.#running.set(school, left);
    else this.#running.delete(school);
    if (this.#counts(school, left)) this.#taken -= 1;
  }

  /** Places beyond the largest share, which a school took while it was alone, leave the shares of the others as they are. */
  #counts(school: string | undefined, before: number): boolean {
    return school === undefined || before < this.#mostOfOne;
  }

  /** Whether something waits for a school. */
  hasQueued(school: string | undefined): boolean {
    return this.#queues.has(school);
  }

  /** Puts something behind what waits for its school; false when that queue is full. */
  enqueue(waiting: W): boolean {
    const queue = this.#queues.get(waiting.school);
    if ((queue?.length ?? 0) >= this.#maxQueued) return false;
    this.#waiting += 1;
    if (queue) queue.push(waiting);
    else {
      this.#queues.set(waiting.school, [waiting]);
      this.#charged.set(waiting.school, Math.max(this.#level, this.#charged.get(waiting.school) ?? 0));
    }
    return true;
  }

  /** Adds the cost of something that was done for a school while something waits for it. */
  charge(school: string | undefined, cost: number): void {
    const charged = this.#charged.get(school);
    if (charged !== undefined) this.#charged.set(school, charged + cost);
  }

  /**
   * Takes out what is next; undefined when nothing that waits may have a place now. Queues longer than `longest` are
   * passed over; `alone` as in `mayStart`.
   */
  next({ longest = Infinity, alone = false } = {}): W | undefined {
    let least = Infinity;
    let of: string | undefined;
    for (const [school, { length }] of this.#queues) {
      const charged = this.#charged.get(school)!;
      if (charged < least && length <= longest && this.mayStart(school, alone)) [least, of] = [charged, school];
    }
    if (least === Infinity) return undefined;
    this.#level = least;
    const queue = this.#queues.get(of)!;
    const waiting = queue.shift()!;
    this.#waiting -= 1;
    this.#queues.delete(of);
    if (queue.length > 0) this.#queues.set(of, queue);
    else this.#forget();
    return waiting;
  }

  /** An empty queue owes nothing to anyone. */
  #forget(): void {
    if (this.#queues.size > 0) return;
    this.#charged.clear();
    this.#level = 0;
  }

  /** How many wait, of all schools. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Whether anything waits. */
  get hasWaiting(): boolean {
    return this.#queues.size > 0;
  }

  /** Takes out something that waits no longer; nothing happens when it is out already. */
  remove(waiting: W): void {
    const queue = this.#queues.get(waiting.school);
    const index = queue?.indexOf(waiting) ?? -1;
    if (!queue || index === -1) return;
    queue.splice(index, 1);
    this.#waiting -= 1;
    if (queue.length > 0) return;
    this.#queues.delete(waiting.school);
    this.#forget();
  }

  /** How many wait for the school that most wait for. */
  get longest(): number {
    return Math.max(0, ...[...this.#queues.values()].map(({ length }) => length));
  }

  /** Everything that waits in queues of more than so many. */
  inQueuesLongerThan(length: number): readonly W[] {
    return [...this.#queues.values()].filter((queue) => queue.length > length).flat();
  }
}
