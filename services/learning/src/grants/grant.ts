import { uuidv5 } from '@lyceum/kernel';
import { z } from 'zod';

/** The kinds of things that members are given access to. */
export type ItemType = 'course' | 'digital_product';

/** What access is to. */
export interface Item {
  readonly item_type: ItemType;
  readonly item_id: string;
}

/** What a grant comes from: its kind, and its id there. */
export interface Source {
  readonly source_type: 'staff' | 'free' | 'order_line' | 'subscription';
  readonly source_id: string;
}

/** The id of a grant: the same source never grants the same item twice. */
export const grantId = ({ source_type, source_id }: Source, { item_type, item_id }: Item): string =>
  uuidv5('grant', source_type, source_id, item_type, item_id);

const source = { grant_id: z.string(), source_type: z.string(), source_id: z.string() };

/** RFC 3339; null = for ever. */
const end = z.string().nullable();

const grantedData = z.object({ ...source, starts_at: z.string(), expires_at: end });
const extendedData = z.object({ ...source, expires_at: end });
const revokedData = z.object({ ...source, reason: z.string() });

/** What events say of a grant, beside whose it is and of what. */
export const grantFields = {
  granted: grantedData.shape,
  extended: extendedData.shape,
  revoked: revokedData.shape,
} as const;

/**
 * What becomes of a grant. `About`: whose it is and of what. A revocation may come before the grant, which will not count
 * then.
 */
export type GrantEvent<About extends object = object> =
  | { readonly type: 'AccessGranted'; readonly data: About & z.output<typeof grantedData> }
  | { readonly type: 'AccessExtended'; readonly data: About & z.output<typeof extendedData> }
  | { readonly type: 'AccessRevoked'; readonly data: About & z.output<typeof revokedData> };

/** One reason why a member has access. `starts_at` is null when it was revoked before it came. Times are RFC 3339 UTC. */
export interface Grant {
  readonly grant_id: string;
  readonly source_type: string;
  readonly source_id: string;
  readonly starts_at: string | null;
  /** null = for ever. */
  readonly expires_at: string | null;
  readonly revoked: boolean;
}

/** Somebody's access to something: any grant of it that is live. */
export interface Access {
  readonly grants: readonly Grant[];
}

/** Whether a grant gives access at a time. */
export const isLive = ({ revoked, starts_at, expires_at }: Grant, now: string): boolean =>
  !revoked && starts_at !== null && starts_at <= now && (expires_at === null || expires_at > now);

/** Whether there is access at a time: any live grant. */
export const hasAccess = (access: Access | null, now: string): boolean =>
  access?.grants.some((grant) => isLive(grant, now)) ?? false;

/** When the access that there is began and will end: with the first and the last of the live grants. Null without access. */
export function accessPeriod(
  { grants }: Access,
  now: string,
): { readonly starts_at: string; readonly expires_at: string | null } | null {
  const live = grants.filter((grant) => isLive(grant, now));
  const starts = live.flatMap(({ starts_at }) => starts_at ?? []).toSorted();
  const ends = live.flatMap(({ expires_at }) => expires_at ?? []).toSorted();
  if (starts[0] === undefined) return null;
  return { starts_at: starts[0], expires_at: ends.length < live.length ? null : (ends.at(-1) ?? null) };
}

/** The grants with one of them as it is now. */
const withGrant = (grants: readonly Grant[], grant: Grant): readonly Grant[] =>
  grants.some(({ grant_id }) => grant_id === grant.grant_id)
    ? grants.map((each) => (each.grant_id === grant.grant_id ? grant : each))
    : [...grants, grant];

/** The grants after a change of one. */
export function grantsAfter(grants: readonly Grant[], change: GrantEvent): readonly Grant[] {
  const { grant_id, source_type, source_id } = change.data;
  switch (change.type) {
    case 'AccessGranted': {
      const { starts_at, expires_at } = change.data;
      return withGrant(grants, { grant_id, source_type, source_id, starts_at, expires_at, revoked: false });
    }
    case 'AccessExtended': {
      const { expires_at } = change.data;
      return grants.map((each) => (each.grant_id === grant_id ? { ...each, expires_at } : each));
    }
    case 'AccessRevoked': {
      const known = grants.find((each) => each.grant_id === grant_id);
      const grant = known ?? { grant_id, source_type, source_id, starts_at: null, expires_at: null };
      return withGrant(grants, { ...grant, revoked: true });
    }
  }
}
