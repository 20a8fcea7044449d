import type { EventLog } from './port.ts';

/** The same log with some members replaced; everything else is forwarded to it, whatever kind of object it is. */
export function forwarding(log: EventLog, overrides: Partial<EventLog>): EventLog {
  const { lanes, epoch, looksOut, observeNow, laneGaps, snapshots, states } = log;
  return {
    lanes,
    ...(epoch === undefined ? {} : { epoch }),
    ...(looksOut && { looksOut }),
    ...(observeNow && { observeNow }),
    ...(laneGaps && { laneGaps }),
    ...(snapshots && { snapshots }),
    ...(states && { states }),
    laneOf: (tenant) => log.laneOf(tenant),
    load: (...what) => log.load(...what),
    find: (tenant, commitId) => log.find(tenant, commitId),
    append: (append) => log.append(append),
    readLane: (...range) => log.readLane(...range),
    head: (lane) => log.head(lane),
    wake: (listener) => log.wake(listener),
    close: () => log.close(),
    ...overrides,
  };
}
