import { type Collection, type Document, type Documents, type Projection, rowAs } from '@lyceum/documents';
import { type KnownGrants, accessSince, grantsAfter, isGrantFact } from '../entitlement/known-grants.ts';
import { learntBy } from './completions.ts';

/** Who has access to which course, as the learning service publishes it. */
const access: Collection = { name: 'access', version: 1, fields: { member_id: 'text' } };

interface AccessRow {
  readonly member_id: string;
  readonly grants: KnownGrants;
}

/** Keeps the grants of each member to each course. */
export const accessProjection: Projection = {
  collection: access,
  key(fact) {
    if (!isGrantFact(fact) || fact.data.item_type !== 'course') return undefined;
    return learntBy(fact.data.member_id, fact.data.item_id);
  },
  project(fact, before): Document | null {
    if (!isGrantFact(fact)) return before ?? null;
    const grants = grantsAfter(fact, before ? rowAs<AccessRow>(before).grants : {});
    return Object.keys(grants).length === 0 ? null : { member_id: fact.data.member_id, grants };
  },
  erase: { documents: { field: 'member_id' } },
};

/** Whose access to what is asked for, and when. */
interface Asked {
  readonly school: string;
  readonly member: string;
  readonly course: string;
  /** RFC 3339 UTC. */
  readonly now: string;
}

/** Since when a member has access to a course (RFC 3339), as far as integration events have arrived; undefined = none. It ends by time at once. */
export async function entitlementOf(
  { documents }: { readonly documents: Pick<Documents, 'get'> },
  { school, member, course, now }: Asked,
): Promise<{ readonly started_at: string } | undefined> {
  const row = await documents.get(access, school, learntBy(member, course));
  if (!row) return undefined;
  const started_at = accessSince(rowAs<AccessRow>(row).grants, now);
  return started_at === undefined ? undefined : { started_at };
}
