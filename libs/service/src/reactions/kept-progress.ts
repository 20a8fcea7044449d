import { setTimeout as pause } from 'node:timers/promises';
import type { Checkpoint } from '@lyceum/kernel';
import type { Checkpoints } from '../checkpoints.ts';
import { LaneProgress, type OpenCommit } from './lane-progress.ts';

/** How the progress of a lane is kept. */
export interface KeepingOptions {
  readonly checkpoints: Checkpoints;
  readonly lane: number;
  /** The epoch of the source's log. */
  readonly epoch: string | null;
  /** The place that is kept now. */
  readonly from: Checkpoint;
  readonly closing: AbortSignal;
  onError(error: unknown): void;
}

/** Milliseconds in which checkpoints are gathered, so that a burst is one write, and before another try of a write that failed. */
const [gather, again] = [50, 1_000];

/** How far the work of a lane is done, kept as its place soon after: once for all that is done meanwhile. */
export class KeptProgress {
  readonly #options: KeepingOptions;
  readonly #progress: LaneProgress;
  #saved: number;
  #saving: Promise<void> | undefined;
  #isOver = false;

  constructor(options: KeepingOptions) {
    this.#options = options;
    this.#progress = new LaneProgress(options.from);
    this.#saved = options.from.position;
  }

  get epoch(): string | null {
    return this.#options.epoch;
  }

  /** The last commit that was taken. */
  get taken(): Checkpoint {
    return this.#progress.takenAt;
  }

  take(position: number, left: number, commitId?: string): OpenCommit {
    return this.#progress.take(position, left, commitId);
  }

  finish(commit: OpenCommit): void {
    this.#progress.finish(commit);
    this.#save(gather);
  }

  /** A look at what was passed over costs little, so that its place is kept now and then only. */
  async passed(): Promise<void> {
    const { done, taken, doneAt } = this.#progress;
    if (done === taken && !this.#saving) await this.#options.checkpoints.saveSometimes(this.#options.lane, doneAt);
  }

  /** Keeps what is done. */
  async close(): Promise<void> {
    await this.#saving;
    if (!this.#isOver) await this.#saveNow();
  }

  /** Keeps nothing any more. */
  async retire(): Promise<void> {
    this.#isOver = true;
    await this.#saving;
  }

  #save(wait: number): void {
    const { closing } = this.#options;
    if (this.#saving || this.#isOver || closing.aborted || this.#progress.done <= this.#saved) return;
    this.#saving = pause(wait, undefined, { signal: closing })
      .catch(() => undefined)
      .then(() => this.#saveNow())
      .then((isSaved) => {
        this.#saving = undefined;
        this.#save(isSaved ? gather : again);
      });
  }

  async #saveNow(): Promise<boolean> {
    const { done, doneAt } = this.#progress;
    const { checkpoints, lane, onError } = this.#options;
    try {
      if (done > this.#saved) await checkpoints.save(lane, doneAt);
      this.#saved = done;
      return true;
    } catch (error) {
      onError(error);
      return false;
    }
  }
}
