import type { FactOf } from '@lyceum/contracts';
import {
  type Collection,
  type Document,
  type Documents,
  type Incoming,
  type Projection,
  rowAs,
} from '@lyceum/documents';
import { learntBy } from './completions.ts';

/** Who has access to which course, as the learning service publishes it. */
const access: Collection = { name: 'access', version: 1, fields: { member_id: 'text' } };

/** A grant that was not revoked. Times are RFC 3339 UTC; `expires_at` null = never. */
interface KnownGrant {
  readonly starts_at: string;
  readonly expires_at: string | null;
}

interface AccessRow {
  readonly member_id: string;
  readonly grants: Readonly<Record<string, KnownGrant>>;
}

type GrantFact = Extract<FactOf<'learning'>, { data: { grant_id: string } }>;

const told: ReadonlySet<string> = new Set<GrantFact['type']>(['AccessGranted', 'AccessExtended', 'AccessRevoked']);

const isGrantFact = (fact: Pick<Incoming, 'type' | 'data'>): fact is Pick<Incoming, 'type' | 'data'> & GrantFact =>
  told.has(fact.type);

/** The grants after an integration event. The owner publishes no grant that was revoked before it came. */
function grantsAfter({ type, data }: GrantFact, before: AccessRow['grants']): AccessRow['grants'] {
  const { [data.grant_id]: known, ...others } = before;
  if (type === 'AccessRevoked') return others;
  if (type === 'AccessGranted')
    return { ...others, [data.grant_id]: { starts_at: data.starts_at, expires_at: data.expires_at } };
  return known ? { ...others, [data.grant_id]: { ...known, expires_at: data.expires_at } } : others;
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
  const live = Object.values(rowAs<AccessRow>(row).grants).filter(
    ({ starts_at, expires_at }) => starts_at <= now && (expires_at === null || expires_at > now),
  );
  const [started_at] = live.map(({ starts_at }) => starts_at).toSorted();
  return started_at === undefined ? undefined : { started_at };
}
