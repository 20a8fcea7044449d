import { type RecordedEvent, UnknownEvent } from '@lyceum/kernel';
import { forwarding } from '../forwarding.ts';
import type { Commit, EventLog } from '../port.ts';

/** What of a log this release knows. */
export interface KnownEvents {
  /** Why an event of a tenant is not known here; undefined when it is. */
  whyUnknown(event: RecordedEvent, tenant: string): string | undefined;
  /** Called each time that a lane is read up to an event that is not known. */
  readonly onUnknown?: (error: UnknownEvent, lane: number, position: number) => void;
}

/**
 * The same log, whose lanes end before the first event that this release does not know: `readLane` gives what is before it,
 * then throws `UnknownEvent`. Who follows the log stands there, whatever it does with events, until a newer release takes
 * its place: nothing of the unknown is passed over, and nothing is parked for it. Streams are read as before.
 */
export function withKnownEvents(log: EventLog, { whyUnknown, onUnknown }: KnownEvents): EventLog {
  const reasonOf = ({ events, tenant }: Commit): string | undefined => {
    for (const event of events) {
      const reason = whyUnknown(event, tenant);
      if (reason !== undefined) return reason;
    }
    return undefined;
  };
  return forwarding(log, {
    async readLane(lane, after, limit) {
      const commits = await log.readLane(lane, after, limit);
      const end = commits.findIndex((commit) => reasonOf(commit) !== undefined);
      const unknown = commits[end];
      if (!unknown) return commits;
      if (end > 0) return commits.slice(0, end);
      const { position } = unknown;
      const error = new UnknownEvent(`position ${position} of lane ${lane}: ${reasonOf(unknown)}`);
      onUnknown?.(error, lane, position);
      throw error;
    },
  });
}
