import { execute } from '@lyceum/eventlog';
import { upcast } from '@lyceum/kernel';
import type { ProcessManager } from '@lyceum/service';
import type { Ports } from '@lyceum/web';
import { enrollmentEvents } from './enrollment.events.ts';
import { enrollmentDecider } from './enrollment.ts';

/** The enrollment whose grants may be over. */
interface Expiring {
  readonly member_id: string;
  readonly course_id: string;
}

/** What an event says of the end of a grant; undefined when the grant has none. */
function endOf(event: Parameters<ProcessManager<null, never, Expiring>['correlate']>[0]) {
  // Access to other things ends unnoticed: nobody waits for it.
  if (!event.stream.startsWith('enrollment_')) return undefined;
  if (event.type !== 'AccessGranted' && event.type !== 'AccessExtended') return undefined;
  const { data } = upcast(enrollmentEvents, event);
  return 'expires_at' in data && data.expires_at !== null ? { ...data, expires_at: data.expires_at } : undefined;
}

/**
 * Notices that access has ended by time, so that it is published. Whether somebody has access never waits for it. A timer
 * of a grant that was revoked or extended meanwhile finds nothing to do.
 */
export const expiryProcess: ProcessManager<null, never, Expiring, Pick<Ports, 'log'>> = {
  name: 'expiry',
  events: {},
  initial: null,
  evolve: (state) => state,
  correlate: (event) => (endOf(event) ? event.stream : undefined),
  react(input) {
    if (input.kind === 'timer') return { commands: [JSON.parse(input.timer) as Expiring] };
    const end = input.kind === 'event' ? endOf(input.event) : undefined;
    if (!end) return {};
    const { member_id, course_id, grant_id, expires_at } = end;
    return { set: { [JSON.stringify({ member_id, course_id, grant_id })]: expires_at } };
  },
  carryOut: ({ member_id, course_id }, { tenant, correlation, commitId, at, meta }, { log }) =>
    execute(log, enrollmentDecider, {
      tenant,
      stream: correlation,
      command: { type: 'ExpireAccess', member_id, course_id, now: at },
      commitId,
      at,
      meta,
    }),
};
