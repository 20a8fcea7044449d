import { failureOf } from '@lyceum/mongo';
import type { LaneIndex } from './lane-index.ts';
import { Gap } from '../errors.ts';
import type { LaneHead, StoredCommit } from '../storage/store.ts';

/** The newest commit that was acknowledged cannot be seen now. It cannot have vanished, so the lane is asked again. */
export class HeadMissing extends Error {
  override readonly name = 'HeadMissing';

  constructor(lane: number, position: number) {
    super(`position ${position} of lane ${lane} was acknowledged, and cannot be seen by a majority now`);
  }
}

const empty: LaneHead = { position: 0, commitId: '' };

/**
 * One lane as this process knows it: all commits up to `head` are learned. The head only ever comes from commits that
 * cannot vanish, or that were acknowledged to this process.
 */
export class Lane {
  readonly number: number;
  readonly index: LaneIndex;
  readonly #isSameEpoch: () => Promise<boolean>;
  #head: LaneHead | undefined;
  #suspect = false;
  #running: Promise<LaneHead> | undefined;
  #next: Promise<LaneHead> | undefined;

  /** `isSameEpoch`: whether the database still holds the log that was opened; asked when its newest commit is missing. */
  constructor(number: number, index: LaneIndex, isSameEpoch: () => Promise<boolean> = async () => true) {
    this.number = number;
    this.index = index;
    this.#isSameEpoch = isSameEpoch;
  }

  /** The newest commit known; read first when there is reason to doubt. */
  async head(): Promise<LaneHead> {
    return this.#head && !this.#suspect ? this.#head : this.refresh();
  }

  /** Learns all commits that were visible when it was called. Throws `Gap`, and what the driver throws. */
  refresh(): Promise<LaneHead> {
    if (!this.#running) return this.#start();
    // A look that has begun may have passed the place already, so one more follows, for all who ask now.
    this.#next ??= this.#running.then(
      () => this.#start(),
      (error: unknown) => this.#afterFailed(error),
    );
    return this.#next;
  }

  /** Throws `HeadMissing` when this process knows of the position, which nothing is seen of from there on: it is hidden. */
  async expect(position: number): Promise<void> {
    if (position > 0 && position <= (this.#head?.position ?? 0) && (await this.#isSameEpoch()))
      throw new HeadMissing(this.number, position);
  }

  /** Takes notice of a commit; one that is known already changes nothing. */
  learn(commit: StoredCommit): void {
    const head = this.#head ?? empty;
    if (commit.position <= head.position) return;
    if (commit.position !== head.position + 1 || commit.prev !== head.commitId)
      throw new Gap(this.number, head.position + 1);
    this.index.learn(commit);
    this.#head = { position: commit.position, commitId: commit.commitId };
  }

  /** After a failure of the connection: the server may be another one now, so the head is looked at again before use. */
  distrust(): void {
    this.#suspect = true;
  }

  /** A server that was not reached just now is not waited for once more. */
  #afterFailed(error: unknown): Promise<LaneHead> {
    if (failureOf(error) !== 'unsent') return this.#start();
    this.#next = undefined;
    throw error;
  }

  #start(): Promise<LaneHead> {
    this.#next = undefined;
    const running = this.#look().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  async #look(): Promise<LaneHead> {
    if (this.#suspect) await this.#verify();
    if (!this.#head) await this.#open();
    for (;;) {
      const { commits, end } = await this.index.following(this.#head!.position);
      for (const commit of commits) this.learn(commit);
      if (end) return this.#head!;
    }
  }

  async #open(): Promise<void> {
    this.index.forget();
    const newest = await this.index.open();
    if (newest) this.index.learn(newest);
    this.#head = newest ? { position: newest.position, commitId: newest.commitId } : empty;
  }

  async #verify(): Promise<void> {
    this.#suspect = false;
    try {
      const head = this.#head ?? empty;
      const stored = head.position > 0 ? await this.index.reread(head.position) : undefined;
      // A new primary may answer with less than was acknowledged, for a while: what is missing is not another commit.
      if (!stored && head.position > 0 && (await this.#isSameEpoch()))
        throw new HeadMissing(this.number, head.position);
      if ((stored?.commitId ?? '') !== head.commitId) this.#head = undefined;
    } catch (error) {
      this.#suspect = true;
      throw error;
    }
  }
}
