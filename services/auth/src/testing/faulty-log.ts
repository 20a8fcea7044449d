import { type EventLog, OutcomeUnknown, Unavailable } from '@lyceum/eventlog';

/** The log as it is, with what is changed. */
const withChanges = (log: EventLog, changes: Partial<EventLog>): EventLog => ({
  lanes: log.lanes,
  laneOf: (tenant) => log.laneOf(tenant),
  load: (...what) => log.load(...what),
  find: (tenant, commitId) => log.find(tenant, commitId),
  append: (append) => log.append(append),
  readLane: (...where) => log.readLane(...where),
  head: (lane) => log.head(lane),
  wake: (listener) => log.wake(listener),
  close: () => log.close(),
  ...changes,
});

/** Writes, and then nobody hears of it: as when the process dies between the append and its answer. */
export const dyingAfterAppend = (log: EventLog): EventLog =>
  withChanges(log, {
    async append(append) {
      await log.append(append);
      throw new OutcomeUnknown('the process died');
    },
  });

/** Reads, and never writes: as when the process dies right before the append. */
export const dyingBeforeAppend = (log: EventLog): EventLog =>
  withChanges(log, { append: () => Promise.reject(new Unavailable('the process died')) });

/** Cannot read streams whose names begin so. */
export const unreadable = (log: EventLog, prefix: string, error: () => Error): EventLog =>
  withChanges(log, {
    load: (tenant, streams, ...more) =>
      streams.some((each) => each.startsWith(prefix)) ? Promise.reject(error()) : log.load(tenant, streams, ...more),
  });
