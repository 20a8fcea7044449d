import type { FactOf } from '@lyceum/contracts';
import { type Collection, type Documents, type Projection, rowAs } from '@lyceum/documents';

/** Who can be enrolled, by id. */
const members: Collection = { name: 'members', version: 1, fields: {} };

/** What is known of a member. */
export interface KnownMember {
  readonly status: 'joined' | 'erased';
}

/** What the service knows of the members of schools, from the integration events of the school service: ids only. */
export const memberProjection: Projection = {
  collection: members,
  key: ({ type, data }) =>
    type === 'MemberJoined' || type === 'MemberErased'
      ? (data as Extract<FactOf<'school'>, { type: 'MemberJoined' }>['data']).member_id
      : undefined,
  project: ({ type }) => ({ status: type === 'MemberErased' ? 'erased' : 'joined' }),
};

/** A member, as far as integration events have arrived; undefined = has not joined. */
export async function knownMember(
  { documents }: { readonly documents: Pick<Documents, 'get'> },
  school: string,
  id: string,
): Promise<KnownMember | undefined> {
  return rowAs<KnownMember>(await documents.get(members, school, id));
}
