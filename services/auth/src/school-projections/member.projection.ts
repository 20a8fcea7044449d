import type { FactOf, Role } from '@lyceum/contracts';
import { type Collection, type Documents, type Projection, rowAs } from '@lyceum/documents';

/** The role and status of a member. */
export interface MemberStatus {
  readonly role: Role;
  readonly status: 'active' | 'suspended' | 'erased';
}

/** What this service knows of the members of schools, under their ids: those of their accounts. */
export const members: Collection = { name: 'members', version: 1, fields: {} };

type MemberFact = Extract<FactOf<'school'>, { type: `Member${string}` }>;

const statusAfter = ({ type, data }: MemberFact, before: MemberStatus | undefined): MemberStatus | null => {
  if (type === 'MemberJoined') return { role: data.role, status: 'active' };
  // Who has not joined has no account to sign in with.
  if (!before) return null;
  if (type === 'MemberRoleChanged') return { ...before, role: data.to };
  if (type === 'MemberReinstated') return { role: data.role, status: 'active' };
  return { ...before, status: type === 'MemberSuspended' ? 'suspended' : 'erased' };
};

/** Built from the facts of the school service; a role or status is in force here once they have arrived. */
export const memberProjection: Projection = {
  collection: members,
  key: ({ type, data }) => (type.startsWith('Member') ? (data as { member_id: string }).member_id : undefined),
  project: (fact, before) =>
    statusAfter(fact as unknown as MemberFact, rowAs<MemberStatus>(before)) as Record<string, unknown> | null,
};

/** The role and status of a member, as far as integration events have arrived; undefined = has not joined. */
export async function memberStatus(
  { documents }: { readonly documents: Pick<Documents, 'get'> },
  school: string,
  id: string,
): Promise<MemberStatus | undefined> {
  return rowAs(await documents.get(members, school, id));
}
