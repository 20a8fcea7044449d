import { type Checkpoint, OtherHistory, checkpointFrom, isSameCommit } from '@lyceum/kernel';
import { ChangeSignal } from './change-signal.ts';
import { Gap, Unavailable } from '../errors.ts';
import type { Commit, EventLog } from '../port.ts';

/** What one lane's loop needs to know; see `FollowOptions`. */
export interface LaneOptions {
  readonly from: (lane: number) => Promise<number | Checkpoint>;
  readonly handle: (commits: readonly Commit[], lane: number) => Promise<void>;
  readonly onError: (error: unknown, lane: number) => void;
  readonly diverged?: ((lane: number) => Promise<void> | void) | undefined;
  readonly batch: number;
  readonly isUrgent: boolean;
}

interface Waiter {
  readonly position: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Milliseconds between two batches of a lane that grows all the time: what came meanwhile is one batch. It does so when as
 * many batches as `most` came one soon after the other. A position that somebody waits for is read at once.
 */
const [stride, most] = [10, 4];
const firstPause = 20;
const longestPause = 5_000;
/** Every so many tries a gap is reported again: once a minute. */
const reminder = 12;

/** Reads one lane in order and hands it over, one batch in flight. A gap blocks it, and is asked for again. */
export class LaneFollower {
  readonly #log: EventLog;
  readonly #lane: number;
  readonly #options: LaneOptions;
  /** The lane may have grown since the last look. */
  #isRung = false;
  /** Undefined while there is nothing to read: hundreds of lanes rest in a process, and keep nothing then. */
  #running: Promise<void> | undefined;
  /** The pause after a failure. */
  #pause: ChangeSignal | undefined;
  /** The rest between two batches, and when it is over. */
  #rest: ChangeSignal | undefined;
  #restedAt = 0;
  /** Batches that came soon after another one, in a row, and when the last began. */
  #streak = 0;
  #began = 0;
  /** What was handled; undefined when the checkpoint has to be asked for. */
  #at: Checkpoint | undefined;
  /** Whether the log was seen to have that very commit. */
  #isSeen = false;
  #waiters: Waiter[] = [];
  #failures = 0;
  #closed = false;
  #ended: Unavailable | undefined;
  /** The gap that blocks the lane, and how many times it was met. */
  #gap: Gap | undefined;
  #met = 0;

  constructor(log: EventLog, lane: number, options: LaneOptions) {
    this.#log = log;
    this.#lane = lane;
    this.#options = options;
    this.#running = this.#run();
  }

  /** The lane may have grown. */
  ring(): void {
    // While a handler fails, new commits do not shorten its pause.
    if (this.#failures > 0 || this.#closed) return;
    this.#isRung = true;
    this.#running ??= this.#run();
  }

  /** Resolves when the position has been handled. Throws the `Gap` that blocks the lane; `Unavailable` when closed. */
  async reached(position: number): Promise<void> {
    if (this.#ended ?? this.#gap) throw this.#ended ?? this.#gap;
    if ((this.#at?.position ?? -1) >= position) return;
    this.ring();
    this.#rest?.ring();
    await new Promise<void>((resolve, reject) => this.#waiters.push({ position, resolve, reject }));
  }

  /** Resolves when the batch in flight has been handled; nothing is handled later. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#pause?.ring();
    this.#rest?.ring();
    await this.#running;
    this.#ended ??= new Unavailable('the follower is closed');
    this.#log.laneGaps?.end(this);
    this.#disappoint(this.#ended);
  }

  /** Reads on until there is nothing more. */
  async #run(): Promise<void> {
    for (let goesOn = true; goesOn && !this.#closed;) {
      try {
        await this.#gather();
        this.#isRung = false;
        const moved = await this.#step();
        this.#failures = 0;
        goesOn = moved || this.#isRung;
      } catch (error) {
        await this.#failed(error);
      }
    }
    this.#running = undefined;
  }

  /** Rests since the batch before. */
  async #gather(): Promise<void> {
    const left = this.#restedAt - performance.now();
    if (left <= 0 || this.#waiters.length > 0 || this.#closed) return;
    this.#rest = new ChangeSignal();
    await this.#rest.sleep(left);
    this.#rest = undefined;
  }

  #pace(now: number): void {
    this.#streak = now - this.#began < 2 * stride ? this.#streak + 1 : 0;
    this.#began = now;
    this.#restedAt = this.#streak < most ? 0 : now + stride;
  }

  async #step(): Promise<boolean> {
    const { from, handle, batch, isUrgent } = this.#options;
    const at = this.#at ?? checkpointFrom(await from(this.#lane));
    const commits = await this.#read(at, batch);
    if (this.#gap) this.#goOn();
    this.#at ??= at;
    this.#settle();
    const last = commits.at(-1);
    if (!last || this.#closed) return false;
    // A full batch has more behind it.
    if (commits.length < batch && !isUrgent) this.#pace(performance.now());
    await handle(commits, this.#lane);
    this.#reach({ position: last.position, commitId: last.commitId });
    this.#settle();
    return true;
  }

  async #read(at: Checkpoint, batch: number): Promise<readonly Commit[]> {
    try {
      // The head is in memory: an idle lane costs no read. A head below ours is read from too: that is a gap.
      const isEnd = (await this.#log.head(this.#lane)) === at.position;
      if (isEnd && (this.#isSeen || at.position === 0)) return [];
      const commits = isEnd ? [] : await this.#log.readLane(this.#lane, at.position, batch);
      const commitId = commits[0]?.prev ?? (await this.#commitAt(at.position));
      if (at.position > 0 && !isSameCommit(at.commitId, commitId)) throw new OtherHistory(this.#lane, at.position);
      this.#reach({ position: at.position, commitId: commitId ?? at.commitId });
      return commits;
    } catch (error) {
      if (!(error instanceof Gap)) throw error;
      const before = await this.#readBefore(error, at);
      return before.length > 0 ? before : this.#stand(error, at);
    }
  }

  /** The id of the commit at a position that the lane ends with. What is wrong before it was met when that was handled. */
  async #commitAt(position: number): Promise<string | undefined> {
    if (position === 0) return undefined;
    try {
      return (await this.#log.readLane(this.#lane, position - 1, 1))[0]?.commitId;
    } catch (error) {
      if (error instanceof Gap && error.at < position) return undefined;
      throw error;
    }
  }

  #reach(at: Checkpoint): void {
    this.#at = at;
    this.#isSeen = true;
  }

  async #readBefore({ at: missing }: Gap, { position, commitId }: Checkpoint): Promise<readonly Commit[]> {
    if (missing - 1 <= position) return [];
    const before = await this.#log.readLane(this.#lane, position, missing - 1 - position).catch(() => []);
    return isSameCommit(before[0]?.prev, commitId) ? before : [];
  }

  async #failed(error: unknown): Promise<void> {
    const isGap = error === this.#gap;
    if (!isGap || this.#met % reminder === 1) this.#options.onError(error, this.#lane);
    // The handler's own checkpoint is the truth now: it may have kept part of the batch, or been overtaken.
    if (!isGap) this.#forget();
    if (error instanceof OtherHistory) await this.#diverge();
    this.#failures += 1;
    if (this.#closed) return;
    this.#pause = new ChangeSignal();
    await this.#pause.sleep(Math.min(firstPause * 2 ** (this.#failures - 1), longestPause));
    this.#pause = undefined;
  }

  /** The lane is handled from its beginning, or as its handler says. When that fails, the other history is met again. */
  async #diverge(): Promise<void> {
    const { diverged, onError } = this.#options;
    if (this.#gap) this.#goOn();
    try {
      if (diverged) await diverged(this.#lane);
      else this.#at = { position: 0 };
    } catch (error) {
      onError(error, this.#lane);
    }
  }

  #forget(): void {
    this.#at = undefined;
    this.#isSeen = false;
  }

  #stand(gap: Gap, at: Checkpoint): never {
    this.#at = at;
    // What is missing may come back as another commit.
    this.#isSeen = false;
    this.#met = gap.at === this.#gap?.at ? this.#met + 1 : 1;
    this.#gap = gap;
    this.#log.laneGaps?.stand(this, gap);
    this.#disappoint(gap);
    throw gap;
  }

  #goOn(): void {
    this.#gap = undefined;
    this.#log.laneGaps?.end(this);
  }

  #disappoint(reason: Error): void {
    for (const waiter of this.#waiters.splice(0)) waiter.reject(reason);
  }

  #settle(): void {
    const reached = this.#at!.position;
    const waiting = this.#waiters;
    this.#waiters = waiting.filter((waiter) => waiter.position > reached);
    for (const waiter of waiting) if (waiter.position <= reached) waiter.resolve();
  }
}
