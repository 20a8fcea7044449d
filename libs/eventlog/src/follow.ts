import type { Checkpoint } from '@lyceum/kernel';
import { LaneFollower } from './following/lane-follower.ts';
import type { Commit, EventLog } from './port.ts';

/** How a log is followed. */
export interface FollowOptions {
  /** Checkpoint that a lane was handled up to; 0 = from the beginning. Asked at start and after every failure but a gap. */
  readonly from: (lane: number) => Promise<number | Checkpoint>;
  /** Gets contiguous commits of one lane, ascending. A throw repeats them with backoff, 20 ms to 5 s, for ever. */
  readonly handle: (commits: readonly Commit[], lane: number) => Promise<void>;
  /**
   * Gets every failure. A `Gap` blocks the lane, and nothing is ever skipped: it is asked again like after any
   * failure, reported once and then about once a minute, and goes on by itself when what was missing is there. Must not throw.
   */
  readonly onError?: (error: unknown, lane: number) => void;
  /**
   * The log has another commit at the checkpoint (`OtherHistory`, which `onError` gets first): an older copy was put in
   * its place, and grew. The keeper of checkpoints forgets this one; then `from` is asked again. Without this function the
   * lane is handled again from its beginning.
   */
  readonly diverged?: (lane: number) => Promise<void> | void;
  /** Commits in a batch at most; 256 when not given. */
  readonly batch?: number;
  /** Milliseconds between looks when no change signal comes: 10,000 when not given. */
  readonly poll?: number;
  /** Whether news are handled at once in a lane that grows all the time, too, one batch for each: for what nobody may learn late. */
  readonly isUrgent?: boolean;
}

/** A running follower. */
export interface Following {
  /**
   * Resolves when all that was in the log at the time of the call has been handled.
   * Throws the `Gap` that blocks a lane; `Unavailable` when the follower closes first.
   */
  caughtUp(): Promise<void>;
  /** Resolves when what was in flight has been handled. */
  close(): Promise<void>;
}

/** Milliseconds between looks at a log whose change signal was lost. */
const rarely = 10_000;

/**
 * Reads every lane of a log from its checkpoint on, for ever. Lanes run side by side; in a lane there is one batch in
 * flight and order is kept. Every commit is handled at least once: the handler keeps the checkpoint.
 */
export function followLog(log: EventLog, options: FollowOptions): Following {
  const { from, handle, diverged, onError = () => undefined, batch = 256, poll = rarely, isUrgent = false } = options;
  const lane = { from, handle, diverged, onError, batch, isUrgent };
  const lanes = Array.from({ length: log.lanes }, (_, index) => new LaneFollower(log, index, lane));
  const unsubscribe = log.wake((index) => lanes[index]?.ring());
  // One timer for all lanes: a process has hundreds of them, and idle ones should cost nothing.
  const endLooks = atCommonMoments(poll, () => lanes.forEach((follower) => follower.ring()));
  return {
    async caughtUp() {
      const heads = await Promise.all(lanes.map((_, index) => log.head(index)));
      await Promise.all(lanes.map((follower, index) => follower.reached(heads[index]!)));
    },
    async close() {
      unsubscribe();
      endLooks();
      await Promise.all(lanes.map((follower) => follower.close()));
    },
  };
}

/**
 * Calls back again and again, at moments that are the same for all who ask for the same pause: what dozens of followers ask
 * a server for at once is asked once. Returns the function that ends it.
 */
function atCommonMoments(milliseconds: number, look: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const plan = (): void => {
    const left = milliseconds - (performance.now() % milliseconds);
    // A timer may be a moment early: that one is this look's, not the next one's.
    timer = setTimeout(again, left < milliseconds / 10 ? left + milliseconds : left);
  };
  const again = (): void => {
    plan();
    look();
  };
  plan();
  return () => clearTimeout(timer);
}
