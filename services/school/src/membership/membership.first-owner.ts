import type { Incoming } from '@lyceum/documents';
import { type Vault, fold } from '@lyceum/eventlog';
import { isRejection, upcast, uuidv5 } from '@lyceum/kernel';
import type { ModulePorts } from '@lyceum/service';
import { arrivalDecider, arrivalStream } from '../arrival/arrival.ts';
import { type SchoolEvent, schoolEvents } from '../school/school.events.ts';
import { memberEmailKey } from '../members/member.email.ts';
import { decideForPlatform } from '../members/member.write.ts';

/** The member id of the person that a school was provisioned for: the school's own UUID, so that it is one person for ever. */
const firstOwner = (school: string): string => school.replace(/^school_/, 'account_');

/** Invites the owner of a school that was provisioned with an address of one. */
export async function inviteFirstOwner(event: Incoming, ports: ModulePorts): Promise<void> {
  const { tenant } = event;
  const { data } = upcast(schoolEvents, event) as Extract<SchoolEvent, { type: 'SchoolProvisioned' }>;
  const email = data.owner_email;
  // A school that came from elsewhere brings its people along.
  if (typeof email !== 'string' || (await fold(ports.log, arrivalDecider, tenant, arrivalStream)).state) return;
  await inviteOwner(ports, tenant, email);
}

async function inviteOwner(
  ports: Pick<ModulePorts, 'log' | 'clock'> & { readonly vault: Pick<Vault, 'derive'> },
  id: string,
  email: string,
): Promise<void> {
  const emailKey = await memberEmailKey(ports.vault, id, email);
  const command = { type: 'InviteMember', email, emailKey, role: 'owner', by: 'system' } as const;
  const outcome = await decideForPlatform(ports, id, firstOwner(id), command, uuidv5('first-owner-invited', id));
  if (isRejection(outcome) && outcome.rejected !== 'email_taken' && outcome.rejected !== 'invalid_state')
    throw new Error(outcome.reason);
}
