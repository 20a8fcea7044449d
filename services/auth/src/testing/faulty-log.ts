import { type EventLog, OutcomeUnknown, Unavailable, forwarding } from '@lyceum/eventlog';

/** Writes, and then nobody hears of it: as when the process dies between the append and its answer. */
export const dyingAfterAppend = (log: EventLog): EventLog =>
  forwarding(log, {
    async append(append) {
      await log.append(append);
      throw new OutcomeUnknown('the process died');
    },
  });

/** Reads, and never writes: as when the process dies right before the append. */
export const dyingBeforeAppend = (log: EventLog): EventLog =>
  forwarding(log, { append: () => Promise.reject(new Unavailable('the process died')) });

/** Cannot read streams whose names begin so; no state that was folded before stands in for them. */
export function unreadable(log: EventLog, prefix: string, error: () => Error): EventLog {
  const { states: _, ...stateless } = log;
  return forwarding(stateless, {
    load: (tenant, streams, ...more) =>
      streams.some((each) => each.startsWith(prefix)) ? Promise.reject(error()) : log.load(tenant, streams, ...more),
  });
}
