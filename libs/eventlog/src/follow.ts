import { type Checkpoint, atMoments } from '@lyceum/kernel';
import { LaneFollower } from './following/lane-follower.ts';
import { LaneSet } from './following/lane-set.ts';
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
  /** The lanes that are followed, at any time; all of the log when not given. One that comes again is asked for by `from`. */
  readonly lanes?: LaneSet;
  /** A lane went from `lanes`: what was in flight in it has been handled, and nothing more is until it comes again. Must not throw. */
  readonly left?: (lane: number) => Promise<void> | void;
}

/** A running follower. */
export interface Following {
  /**
   * Resolves when all that was in the log, in the lanes that are followed, at the time of the call has been handled. A lane
   * that goes meanwhile is not waited for.
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
  const { lanes = new LaneSet(Array(log.lanes).keys()), left } = options;
  const lane = { from, handle, diverged, onError, batch, isUrgent };
  const followers = new Map<number, LaneFollower>();
  let isClosed = false;
  const begin = (): void => {
    for (let index = 0; index < log.lanes; index += 1)
      if (lanes.has(index) && !followers.has(index)) followers.set(index, new LaneFollower(log, index, lane));
  };
  const adjust = async (): Promise<void> => {
    const leaving = [...followers].filter(([index]) => !lanes.has(index));
    const ending = leaving.map(async ([index, follower]) => {
      followers.delete(index);
      await follower.close();
      await left?.(index);
    });
    await Promise.all(ending);
    if (!isClosed) begin();
  };
  begin();
  let adjusting = Promise.resolve();
  const endChanges = lanes.onChange(() => (adjusting = adjusting.then(adjust)));
  const unsubscribe = log.wake((index) => followers.get(index)?.ring());
  // One timer for all lanes: a process has hundreds of them, and idle ones should cost nothing.
  const endLooks = atMoments(poll, () => followers.forEach((follower) => follower.ring()));
  return {
    async caughtUp() {
      const reached = Array.from(followers, async ([index, follower]) => {
        const head = await log.head(index);
        await follower.reached(head).catch((error: unknown) => {
          if (isClosed || followers.get(index) === follower) throw error;
        });
      });
      await Promise.all(reached);
    },
    async close() {
      isClosed = true;
      endChanges();
      unsubscribe();
      endLooks();
      await adjusting;
      await Promise.all(Array.from(followers.values(), (follower) => follower.close()));
    },
  };
}
