import type { FactOf } from '@lyceum/contracts';
import { eventGuard } from '@lyceum/documents';

/** A grant that was not revoked. Times are RFC 3339 UTC; `expires_at` null = never. */
interface KnownGrant {
  readonly starts_at: string;
  readonly expires_at: string | null;
}

/** The grants of one member to one thing, by their ids. */
export type KnownGrants = Readonly<Record<string, KnownGrant>>;

type GrantFact = Extract<FactOf<'learning'>, { data: { grant_id: string } }>;

/** Whether an integration event says something about a grant. */
export const isGrantFact = eventGuard<GrantFact>('AccessGranted', 'AccessExtended', 'AccessRevoked');

/** The grants after an integration event. The owner publishes no grant that was revoked before it came. */
export function grantsAfter({ type, data }: GrantFact, before: KnownGrants): KnownGrants {
  const { [data.grant_id]: known, ...others } = before;
  if (type === 'AccessRevoked') return others;
  if (type === 'AccessGranted')
    return { ...others, [data.grant_id]: { starts_at: data.starts_at, expires_at: data.expires_at } };
  return known ? { ...others, [data.grant_id]: { ...known, expires_at: data.expires_at } } : others;
}

/** Since when grants give access at a time (RFC 3339); undefined = they give none. They end by time at once. */
export function accessSince(grants: KnownGrants, now: string): string | undefined {
  const live = Object.values(grants).filter(
    ({ starts_at, expires_at }) => starts_at <= now && (expires_at === null || expires_at > now),
  );
  return live.map(({ starts_at }) => starts_at).toSorted()[0];
}
