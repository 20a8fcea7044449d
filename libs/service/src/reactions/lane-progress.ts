import { type Checkpoint, checkpointFrom } from '@lyceum/kernel';

/** A commit with work that is not all done. */
export interface OpenCommit {
  readonly position: number;
  readonly commitId: string | undefined;
  left: number;
  before: OpenCommit | undefined;
  after: OpenCommit | undefined;
}

/**
 * How far the work of a lane is done, when it is done in any order: `done` is the last position up to which nothing is
 * left. Remembers what is open, and little of what is done behind it.
 */
export class LaneProgress {
  /** The last commit that was taken. */
  takenAt: Checkpoint;
  /** Everything up to here is done. */
  doneAt: Checkpoint;
  #first: OpenCommit | undefined;
  #last: OpenCommit | undefined;

  constructor(from: number | Checkpoint) {
    this.takenAt = this.doneAt = checkpointFrom(from);
  }

  get taken(): number {
    return this.takenAt.position;
  }

  get done(): number {
    return this.doneAt.position;
  }

  /** The next commit, with so many things to do for it. */
  take(position: number, left: number, commitId?: string): OpenCommit {
    const commit: OpenCommit = { position, commitId, left, before: this.#last, after: undefined };
    if (this.#last) this.#last.after = commit;
    else this.#first = commit;
    this.#last = commit;
    this.takenAt = { position, commitId };
    if (left === 0) this.#settle(commit);
    return commit;
  }

  /** One thing of a commit is done. */
  finish(commit: OpenCommit): void {
    commit.left -= 1;
    if (commit.left === 0) this.#settle(commit);
  }

  #settle(commit: OpenCommit): void {
    while (this.#first?.left === 0) {
      const { position, commitId } = this.#first;
      this.doneAt = { position, commitId };
      this.#remove(this.#first);
    }
    // Of adjacent commits that are all done, the last is enough.
    if (this.done >= commit.position) return;
    if (commit.before?.left === 0) this.#remove(commit.before);
    if (commit.after?.left === 0) this.#remove(commit);
  }

  #remove({ before, after }: OpenCommit): void {
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
  }
}
