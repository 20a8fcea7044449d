import type { Incoming } from '@lyceum/documents';
import { fold } from '@lyceum/eventlog';
import { type Meta, isRejection, uuidv5 } from '@lyceum/kernel';
import type { ModulePorts } from '@lyceum/service';
import { isMember, memberDecider } from '../members/member.ts';
import { decideForPlatform, notBefore } from '../members/member.write.ts';

const system: Meta = { actor: 'system' };

/** Destroys the key of an erased member, when the request that erased them was cut off before it did. */
export async function destroyKey({ tenant, stream }: Incoming, { vault, erase }: ModulePorts): Promise<void> {
  if ((await vault.keyStatus(tenant, stream)) === 'erased') return;
  await erase?.(tenant, stream, system);
}

/** Erases a member whose person is erased. Idempotent. */
export async function memberGone(school: string, subject: string, ports: ModulePorts): Promise<void> {
  if (!isMember(subject)) return;
  const { state } = await fold(ports.log, memberDecider, school, subject);
  if (!state || state.status === 'erased') return;
  const command = { type: 'EraseMember', by: 'operator', notBefore: notBefore(ports.clock.now()) } as const;
  const commitId = uuidv5('member-gone', school, subject);
  const outcome = await decideForPlatform(ports, school, subject, command, commitId, { erased: true });
  if (isRejection(outcome)) throw new Error(outcome.reason);
}
