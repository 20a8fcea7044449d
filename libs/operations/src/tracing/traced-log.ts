import { type EventLog, forwarding } from '@lyceum/eventlog';
import { type Tracer, inSpan } from '@lyceum/kernel';

/**
 * The same log, whose appends are spans of the command that they belong to. A commit whose command knows no trace is stored
 * with that of its append, so that what follows from it goes on under it; one that was made elsewhere stays as it is.
 */
export function tracedLog(log: EventLog, service: string, tracer: Tracer): EventLog {
  return forwarding(log, {
    append(append) {
      const { tenant, events, meta } = append;
      const isUnderWay = tracer.active() !== undefined;
      const span = tracer.begin('append', {
        kind: 'internal',
        parent: isUnderWay ? undefined : (meta.traceparent ?? null),
        attributes: { 'lyceum.service': service, 'lyceum.school': tenant, 'lyceum.events': events.length },
      });
      const isComplete = meta.traceparent !== undefined || meta.arrived !== undefined;
      const stored = isComplete ? append : { ...append, meta: { ...meta, traceparent: span.traceparent } };
      return inSpan(span, async () => {
        const appended = await log.append(stored);
        const { lane, position } = appended.commit;
        span.set({ 'lyceum.lane': lane, 'lyceum.position': position });
        return appended;
      });
    },
  });
}
