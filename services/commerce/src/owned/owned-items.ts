import { type Collection, type Documents, type Incoming, type Projection, rowAs } from '@lyceum/documents';
import { z } from 'zod';
import { isRegistered } from './registered-events.ts';

/** Which access of whom is live, by grant. */
const owned: Collection = { name: 'owned-items', version: 1, fields: { member_id: 'text' } };

const granted = z.object({
  member_id: z.string(),
  item_id: z.string(),
  grant_id: z.string(),
  source_type: z.string(),
  expires_at: z.string().nullable().optional(),
});

const told = new Set(['AccessGranted', 'AccessExtended', 'AccessRevoked']);

/** The grant that an event is about. What a plan opens is nobody's own: one may still buy it for good. */
function grantOf({ type, data }: Pick<Incoming, 'type' | 'data'>) {
  const grant = told.has(type) ? granted.parse(data) : undefined;
  return grant?.source_type === 'subscription' ? undefined : grant;
}

interface OwnedItem {
  readonly member_id: string;
  /** When each live grant ends, RFC 3339 UTC, by its id; null = never. */
  readonly grants: Readonly<Record<string, string | null>>;
}

const idOf = (member: string, item: string): string => `${member}/${item}`;

/** Who has access to what, but for what is open by a plan, from the integration events of the learning service. */
export const ownedProjection: Projection = {
  collection: owned,
  key(event) {
    const grant = grantOf(event);
    return grant && idOf(grant.member_id, grant.item_id);
  },
  project(event, before) {
    const grant = grantOf(event);
    if (!grant) return before ?? null;
    const { member_id, grant_id, expires_at = null } = grant;
    const { [grant_id]: _before, ...others } = rowAs<OwnedItem>(before)?.grants ?? {};
    const grants = event.type === 'AccessRevoked' ? others : { ...others, [grant_id]: expires_at };
    return { member_id, grants };
  },
  erase: { documents: { field: 'member_id' } },
};

/** Whether a member has an item, and would without a plan: access, or a place at an event, as far as integration events have arrived. */
export async function ownsItem(
  { documents }: { readonly documents: Pick<Documents, 'get'> },
  school: string,
  { member, item, now }: { readonly member: string; readonly item: string; readonly now: string },
): Promise<boolean> {
  if (item.startsWith('event_')) return isRegistered({ documents }, school, { member, item });
  const known = rowAs<OwnedItem>(await documents.get(owned, school, idOf(member, item)));
  return Object.values(known?.grants ?? {}).some((end) => end === null || end > now);
}
