import type { Checkpoint } from '@lyceum/kernel';
import { type FollowOptions, type Following, followLog } from '../follow.ts';
import type { Commit, EventLog } from '../port.ts';

/** How the outbox is emptied. */
export interface RelayOptions extends Omit<FollowOptions, 'handle' | 'isUrgent'> {
  /** Hands commits of one lane to the transport; resolves when it has taken them. A throw repeats them with backoff. */
  readonly publish: (commits: readonly Commit[], lane: number) => Promise<void>;
  /** Keeps the checkpoint that a lane was published up to. A stale one costs duplicates, never a loss. */
  readonly saved?: (lane: number, position: number, commitId: string | undefined) => Promise<void> | void;
  /** Milliseconds between saves of one lane, at least; 1000 when not given. */
  readonly saveEvery?: number;
}

/**
 * The outbox relay: the log itself is the outbox. Publishes every commit at least once, in lane order, one batch of a
 * lane in flight, each as soon as it is there: revocations are among them. Positions are saved after publishing, at most once
 * in `saveEvery`, and before a lane is left or all of it is closed.
 */
export function startRelay(log: EventLog, options: RelayOptions): Following {
  const { publish, saved, saveEvery = 1_000, onError = () => undefined, from, diverged, left, ...rest } = options;
  const published = new Map<number, Checkpoint>();
  const unsaved = new Set<number>();
  let timer: NodeJS.Timeout | undefined;
  let saving = Promise.resolve();

  const saveAll = async (): Promise<void> => {
    const lanes = Array.from(unsaved);
    unsaved.clear();
    for (const lane of lanes) {
      try {
        const at = published.get(lane);
        if (at) await saved?.(lane, at.position, at.commitId);
      } catch (error) {
        // The next batch of the lane saves a later position.
        onError(error, lane);
      }
    }
  };

  // One after another: the store of positions may refuse one that was begun while an older one is written.
  const save = (): Promise<void> => {
    timer = undefined;
    return (saving = saving.then(saveAll));
  };

  const following = followLog(log, {
    ...rest,
    onError,
    isUrgent: true,
    // After a failure the saved position may be stale; what this process knows is newer.
    from: async (lane) => published.get(lane) ?? from(lane),
    async diverged(lane) {
      published.delete(lane);
      unsaved.delete(lane);
      if (diverged) await diverged(lane);
      else published.set(lane, { position: 0 });
    },
    async left(lane) {
      await save();
      // Another process goes on from what was saved.
      published.delete(lane);
      await left?.(lane);
    },
    async handle(commits, lane) {
      await publish(commits, lane);
      const { position, commitId } = commits.at(-1)!;
      published.set(lane, { position, commitId });
      unsaved.add(lane);
      timer ??= setTimeout(() => void save(), saveEvery);
    },
  });

  return {
    caughtUp: () => following.caughtUp(),
    async close() {
      await following.close();
      clearTimeout(timer);
      await save();
    },
  };
}
