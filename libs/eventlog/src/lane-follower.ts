import { Bell } from './bell.ts';
import { type Commit, type EventLog, Gap, Unavailable } from './port.ts';

/** What one lane's loop needs to know; see `FollowOptions`. */
export interface LaneOptions {
  readonly from: (lane: number) => Promise<number>;
  readonly handle: (commits: readonly Commit[]) => Promise<void>;
  readonly onError: (error: unknown, lane: number) => void;
  readonly batch: number;
  readonly poll: number;
}

interface Waiter {
  readonly position: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const firstPause = 20;
const longestPause = 5_000;

/** Reads one lane in order and hands it over, one batch in flight. */
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
  #stopped: unknown;

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

  /** Resolves when the position has been handled. Throws the `Gap` that stopped the lane; `Unavailable` when closed. */
  async reached(position: number): Promise<void> {
    if (this.#stopped) throw this.#stopped;
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
    while (!this.#closed && !this.#stopped)
      try {
        const moved = await this.#step();
        this.#failures = 0;
        if (!moved) await this.#bell.sleep(this.#options.poll);
      } catch (error) {
        await this.#failed(error);
      }
    this.#stopped ??= new Unavailable('the follower is closed');
    for (const waiter of this.#waiters) waiter.reject(this.#stopped);
  }

  async #step(): Promise<boolean> {
    const { from, handle, batch } = this.#options;
    const position = this.#position ?? (await from(this.#lane));
    // The head is in memory: an idle lane costs no read. A head below ours is read from too: that is a gap.
    const head = await this.#log.head(this.#lane);
    const commits = head === position ? [] : await this.#read(position, batch);
    this.#position = position;
    this.#settle();
    if (commits.length === 0 || this.#closed) return false;
    await handle(commits);
    this.#position = commits.at(-1)!.position;
    this.#settle();
    return true;
  }

  async #read(after: number, batch: number): Promise<readonly Commit[]> {
    try {
      return await this.#log.readLane(this.#lane, after, batch);
    } catch (error) {
      if (error instanceof Gap) this.#stopped = error;
      throw error;
    }
  }

  async #failed(error: unknown): Promise<void> {
    this.#options.onError(error, this.#lane);
    if (this.#stopped) return;
    // The handler's own checkpoint is the truth now: it may have kept part of the batch, or been overtaken.
    this.#position = undefined;
    this.#failures += 1;
    if (!this.#closed) await this.#bell.sleep(Math.min(firstPause * 2 ** (this.#failures - 1), longestPause));
  }

  #settle(): void {
    const reached = this.#position!;
    const waiting = this.#waiters;
    this.#waiters = waiting.filter((waiter) => waiter.position > reached);
    for (const waiter of waiting) if (waiter.position <= reached) waiter.resolve();
  }
}
