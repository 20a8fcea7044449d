import type { Checkpoint } from '@lyceum/kernel';
import type { IncomingCommit } from '../projector/incoming.ts';

/** Something that is fed with events. */
export interface Fed {
  /** Resolves when all that the source had at the time of the call has been handled. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

/** Feeds commits of every lane, in order, from where `from` says, for ever; a throw is tried again with backoff. */
export type Feed = (options: {
  /** `epoch` names the epoch of the source's log, where there is such a name. It throws when positions of another one were kept. */
  readonly from: (lane: number, epoch?: string) => Promise<number | Checkpoint>;
  /** The epoch of the source's log that was built from; absent where it has none, or where nothing is to go on without it. */
  readonly epoch?: string | undefined;
  /** The source has another commit at the checkpoint: what was made of it is of no use, as in another epoch of its log. */
  readonly diverged: () => void;
  readonly handle: (lane: number, batch: readonly IncomingCommit[]) => Promise<void>;
  /** Commits at a time, about. */
  readonly batch: number;
  /** Names the build that is fed, and whether it is live: different for two feeds at the same time. */
  readonly name: string;
  /** Whether every lane is fed here, also where other processes share them: a build is complete in all of them or not at all. */
  readonly isWhole: boolean;
  /**
   * Only what there is when it is asked for is wanted, all of it: `caughtUp` is waited for once, and then it is closed. What
   * is fed so at the same time may be fed by one reading.
   */
  readonly isOnce?: true;
}) => Fed;
