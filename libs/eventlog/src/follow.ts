import { LaneFollower } from './lane-follower.ts';
import type { Commit, EventLog } from './port.ts';

/** How a log is followed. */
export interface FollowOptions {
  /** Position that a lane was handled up to; 0 = from the beginning. Asked at start and after every failure. */
  readonly from: (lane: number) => Promise<number>;
  /** Gets contiguous commits of one lane, ascending. A throw repeats them with backoff, 20 ms to 5 s, for ever. */
  readonly handle: (commits: readonly Commit[]) => Promise<void>;
  /** Told of every failure. A `Gap` has stopped its lane for good: nothing is ever skipped. Must not throw. */
  readonly onError?: (error: unknown, lane: number) => void;
  /** Commits in a batch at most; 256 when not given. */
  readonly batch?: number;
  /**
   * Milliseconds between looks when no doorbell rings, at most 250 (also when not given). A log that looks out by itself is
   * looked at every two seconds.
   */
  readonly poll?: number;
}

/** A running follower. */
export interface Following {
  /**
   * Resolves when all that was in the log at the time of the call has been handled.
   * Throws the `Gap` of a stopped lane; `Unavailable` when the follower closes first.
   */
  caughtUp(): Promise<void>;
  /** Resolves when what was in flight has been handled. */
  close(): Promise<void>;
}

/** Milliseconds between looks at a log that tells of everything: in case that it does not. */
const rarely = 2_000;

/**
 * Reads every lane of a log from its checkpoint on, for ever. Lanes run side by side; in a lane there is one batch in
 * flight and order is kept. Every commit is handled at least once: whoever handles it keeps the checkpoint.
 */
export function followLog(log: EventLog, options: FollowOptions): Following {
  const { from, handle, onError = () => undefined, batch = 256, poll = 250 } = options;
  const lane = { from, handle, onError, batch, poll: log.looksOut ? rarely : Math.min(poll, 250) };
  const lanes = Array.from({ length: log.lanes }, (_, index) => new LaneFollower(log, index, lane));
  const hush = log.wake((index) => lanes[index]?.ring());
  return {
    async caughtUp() {
      const heads = await Promise.all(lanes.map((_, index) => log.head(index)));
      await Promise.all(lanes.map((follower, index) => follower.reached(heads[index]!)));
    },
    async close() {
      hush();
      await Promise.all(lanes.map((follower) => follower.close()));
    },
  };
}
