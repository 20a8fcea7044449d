import { Gap, Unavailable } from '../errors.ts';
import type { Commit, EventLog } from '../port.ts';

/** A log whose newest commits can be hidden for a while. */
export interface HidingEventLog extends EventLog {
  /** Hides the newest commits of a lane, as many as there are now; those that are appended later too. */
  hide(lane: number, commits: number): void;
  /** Everything is there again. */
  show(): void;
}

/**
 * The same log after an election: for a while the new primary answers majority reads with less than was acknowledged. Its
 * heads go back, and a lane seems to end before what was handled. Appends and reads of streams find no majority meanwhile.
 */
export function hidingEventLog(log: EventLog): HidingEventLog {
  const hidden = new Map<number, Promise<number>>();
  /** The position after which a lane is hidden. */
  const endOf = async (lane: number): Promise<number> => (await hidden.get(lane)) ?? Infinity;
  const visible = async <T>(tenant: string, work: () => Promise<T>): Promise<T> => {
    if (hidden.has(log.laneOf(tenant))) throw new Unavailable('no majority of the servers answers');
    return work();
  };
  return {
    ...log,
    hide: (lane, commits) =>
      void hidden.set(
        lane,
        log.head(lane).then((head) => Math.max(0, head - commits)),
      ),
    show: () => hidden.clear(),
    head: async (lane) => Math.min(await log.head(lane), await endOf(lane)),
    async readLane(lane, after, limit): Promise<readonly Commit[]> {
      const end = await endOf(lane);
      if (after > end) throw new Gap(lane, after);
      return (await log.readLane(lane, after, limit)).filter(({ position }) => position <= end);
    },
    append: (append) => visible(append.tenant, () => log.append(append)),
    load: (tenant, ...what) => visible(tenant, () => log.load(tenant, ...what)),
    find: (tenant, commitId) => visible(tenant, () => log.find(tenant, commitId)),
  };
}
