import { Bell } from './bell.ts';
import { type Commit, type EventLog, Gap, Unavailable } from './port.ts';

/** What one lane's loop needs to know; see `FollowOptions`. */
export interface LaneOptions {
  readonly from: (lane: number) => Promise<number>;
  readonly handle: (commits: readonly Commit[]) => Promise<void>;
  readonly onError: (error: unknown, lane: number) => void;
  readonly batch: number;
}

interface Waiter {
  readonly position: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const firstPause = 20;
const longestPause = 5_000;
/** Every so many tries a gap is told of again: once a minute. */
const reminder = 12;

/** Reads one lane in order and hands it over, one batch in flight. Before a gap it stands and asks again. */
export class LaneFollower {
  readonly #log: EventLog;
  readonly #lane: number;
  readonly #options: LaneOptions;
  readonly #bell = new Bell();
  readonly #done: Promise<void>;
  #position: number | undefined;
  #waiters: Waiter[] = [];
  #failures = 0;
  #closed = false;
  #ended: Unavailable | undefined;
  /** What the lane stands before, and how many times it was met. */
  #gap: Gap | undefined;
  #met = 0;
  /** What this follower has handled last: the lane is known by it. */
  #last: Pick<Commit, 'position' | 'commitId'> | undefined;

  constructor(log: EventLog, lane: number, options: LaneOptions) {
    this.#log = log;
    this.#lane = lane;
    this.#options = options;
    this.#done = this.#run();
  }

  /** The lane may have grown. */
  ring(): void {
    // While a handler fails, new commits do not shorten its pause.
    if (this.#failures === 0) this.#bell.ring();
  }

  /** Resolves when the position has been handled. Throws the `Gap` that the lane stands before; `Unavailable` when closed. */
  async reached(position: number): Promise<void> {
    if (this.#ended ?? this.#gap) throw this.#ended ?? this.#gap;
    if ((this.#position ?? -1) >= position) return;
    this.ring();
    await new Promise<void>((resolve, reject) => this.#waiters.push({ position, resolve, reject }));
  }

  /** Resolves when the batch in flight has been handled; nothing is handled later. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#bell.ring();
    await this.#done;
  }

  async #run(): Promise<void> {
    while (!this.#closed)
      try {
        const moved = await this.#step();
        this.#failures = 0;
        if (!moved) await this.#bell.sleep();
      } catch (error) {
        await this.#failed(error);
      }
    this.#ended = new Unavailable('the follower is closed');
    this.#log.standstills?.end(this);
    this.#disappoint(this.#ended);
  }

  async #step(): Promise<boolean> {
    const { from, handle, batch } = this.#options;
    const after = this.#position ?? (await from(this.#lane));
    const commits = await this.#read(after, batch);
    if (this.#gap) this.#goOn();
    this.#position = after;
    this.#settle();
    if (commits.length === 0 || this.#closed) return false;
    await handle(commits);
    const { position, commitId } = commits.at(-1)!;
    this.#last = { position, commitId };
    this.#position = position;
    this.#settle();
    return true;
  }

  async #read(after: number, batch: number): Promise<readonly Commit[]> {
    try {
      // The head is in memory: an idle lane costs no read. A head below ours is read from too: that is a gap.
      if ((await this.#log.head(this.#lane)) === after && !this.#gap) return [];
      const commits = await this.#log.readLane(this.#lane, after, batch);
      if (this.#gap?.at === after && !this.#follow(commits, after)) throw this.#gap;
      return commits;
    } catch (error) {
      if (!(error instanceof Gap)) throw error;
      const before = await this.#readBefore(error, after);
      return before.length > 0 ? before : this.#stand(error, after);
    }
  }

  async #readBefore({ at }: Gap, after: number): Promise<readonly Commit[]> {
    return at - 1 > after ? this.#log.readLane(this.#lane, after, at - 1 - after).catch(() => []) : [];
  }

  /**
   * A lane that had ended before what was handled, as one from an older backup does, may grow beyond that by other commits:
   * those would pass unseen. It is the same lane again when the next commit names the last one as its predecessor.
   */
  #follow([next]: readonly Commit[], after: number): boolean {
    return next !== undefined && this.#last?.position === after && this.#last.commitId === next.prev;
  }

  async #failed(error: unknown): Promise<void> {
    const isGap = error === this.#gap;
    if (!isGap || this.#met % reminder === 1) this.#options.onError(error, this.#lane);
    // The handler's own checkpoint is the truth now: it may have kept part of the batch, or been overtaken.
    if (!isGap) this.#position = undefined;
    this.#failures += 1;
    if (!this.#closed) await this.#bell.sleep(Math.min(firstPause * 2 ** (this.#failures - 1), longestPause));
  }

  #stand(gap: Gap, after: number): never {
    this.#position = after;
    this.#met = gap.at === this.#gap?.at ? this.#met + 1 : 1;
    this.#gap = gap;
    this.#log.standstills?.stand(this, gap);
    this.#disappoint(gap);
    throw gap;
  }

  #goOn(): void {
    this.#gap = undefined;
    this.#log.standstills?.end(this);
  }

  #disappoint(reason: Error): void {
    for (const waiter of this.#waiters.splice(0)) waiter.reject(reason);
  }

  #settle(): void {
    const reached = this.#position!;
    const waiting = this.#waiters;
    this.#waiters = waiting.filter((waiter) => waiter.position > reached);
    for (const waiter of waiting) if (waiter.position <= reached) waiter.resolve();
  }
}
