import { execute } from '@lyceum/eventlog';
import { type Rejection, isoTime, uuidv5 } from '@lyceum/kernel';
import { knownSchool } from '../schools/known-schools.ts';
import type { CommercePorts } from '../ports/commerce-ports.ts';
import type { UnclaimedNotice } from './unclaimed.events.ts';
import { unclaimedDecider, unclaimedStream } from './unclaimed.ts';

type KeepingPorts = Pick<CommercePorts, 'log' | 'clock' | 'documents'>;

/**
 * Keeps what a provider said of a payment that no order has, for the operator of the school. Throws the 503 problem for a
 * school that is not known here: nothing is kept of those.
 */
export async function keepUnclaimed(
  ports: KeepingPorts,
  school: string,
  notice: UnclaimedNotice,
): Promise<object | Rejection<'not_found'>> {
  await knownSchool(ports, school);
  return execute(ports.log, unclaimedDecider, {
    tenant: school,
    stream: unclaimedStream,
    command: { type: 'KeepNotice', notice },
    at: isoTime(ports.clock.now()),
    meta: { actor: 'system' },
    commitId: uuidv5('unclaimed-notice', school, notice.provider, notice.event_id),
  });
}
