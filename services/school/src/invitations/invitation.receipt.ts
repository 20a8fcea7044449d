import { execute } from '@lyceum/eventlog';
import { isoTime } from '@lyceum/kernel';
import type { Ports } from '@lyceum/web';
import { invitationEvents, invitationReceiptPrefix } from './invitation.events.ts';

const receipt = {
  events: invitationEvents,
  initial: undefined,
  decide: () => [{ type: 'InvitationSent', data: {} }] as const,
  evolve: () => undefined,
};

/** Does what sends an invitation, and writes down that it was done; not again when that is written already. */
export async function sendOnce(
  { log, clock }: Pick<Ports, 'log' | 'clock'>,
  tenant: string,
  commitId: string,
  send: () => Promise<void>,
): Promise<void> {
  if (await log.find(tenant, commitId)) return;
  await send();
  const given = { tenant, stream: invitationReceiptPrefix + commitId, command: undefined, commitId };
  await execute(log, receipt, { ...given, at: isoTime(clock.now()), meta: { actor: 'system' } });
}
