import type { ReadModel } from '@lyceum/documents';
import { type ModulePorts, followProjection, hasRole } from '@lyceum/service';
import { memberProjection, members } from './member.projection.ts';

/** Keeps what is known of members up to date; a process that only answers makes sure that it can read it. */
export async function followMembers(ports: ModulePorts): Promise<ReadModel | undefined> {
  if (hasRole(ports, 'consumer')) return followProjection(ports, 'school', 'auth', memberProjection);
  await ports.documents.open(members);
  return undefined;
}
