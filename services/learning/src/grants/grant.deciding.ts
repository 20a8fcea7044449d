import { type Rejection, isoTime, reject } from '@lyceum/kernel';
import { type FollowPlan, decidePlanAccess } from './grant.plans.ts';
import { type Grant, type GrantEvent, type Item, type Source, grantId, isLive } from './grant.ts';

/** Access that rested: of these sources of one kind, since a time (RFC 3339 UTC; null = for no time). */
export interface Interrupted {
  readonly isOf: (source_id: string) => boolean;
  readonly since: string | null;
}

/** What can be asked of somebody's access to an item, whatever the item is. Times are RFC 3339 UTC; null = for ever. */
export type GrantCommand =
  | ({
      readonly type: 'GrantAccess';
      readonly starts_at: string;
      readonly expires_at: string | null;
      /** What it goes on from, if that was given: the days that lessons wait for, and what was left of the access, stay. */
      readonly resumes?: Interrupted;
    } & Source)
  | ({ readonly type: 'RevokeAccess'; readonly reason: string } & Source)
  /** Has what a subscription opens take the place of what it opened before. */
  | FollowPlan
  /** The grant of the staff lasts until another time. */
  | { readonly type: 'ExtendStaffAccess'; readonly expires_at: string | null }
  | { readonly type: 'RevokeStaffAccess' };

/** What such a command can be rejected for. */
export type GrantCode = 'not_found' | 'already_granted' | 'invalid_state' | 'validation_failed';

type Asked<Type extends GrantCommand['type'] = GrantCommand['type']> = Extract<GrantCommand, { type: Type }> & {
  readonly now: string;
};
/** Whose grants of what: the item, and what every event says of the two. */
interface Granting<About extends object> {
  readonly item: Item;
  readonly about: About;
}

type Decision<About extends object> = readonly GrantEvent<About>[] | Rejection<GrantCode>;

/** Sources of which a member has one live grant at most: they are asked for by people, who would not see a second. */
const single: readonly string[] = ['staff', 'free'];

/** What a command changes of grants. `grants`: undefined = nothing was ever granted or revoked. */
export function decideGrants<About extends object>(
  command: Asked,
  granting: Granting<About>,
  grants: readonly Grant[] | undefined,
): Decision<About> {
  switch (command.type) {
    case 'GrantAccess':
      return grant(command, granting, grants ?? []);
    case 'RevokeAccess':
      return revoke(command, granting, grants ?? []);
    case 'FollowPlan':
      return decidePlanAccess(command, granting, grants ?? []);
    case 'ExtendStaffAccess':
      return grants ? extend(command, granting, grants) : absent;
    case 'RevokeStaffAccess':
      return grants ? revokeStaff(granting, grants) : absent;
  }
}

const absent = reject('not_found', 'There is no such access');

function grant<About extends object>(
  { now, starts_at, expires_at, resumes, ...command }: Asked<'GrantAccess'>,
  { item, about }: Granting<About>,
  grants: readonly Grant[],
): Decision<About> {
  const { source_type, source_id } = command;
  const grant_id = grantId(command, item);
  // Granted before, or revoked, be it before it came.
  if (grants.some((each) => each.grant_id === grant_id)) return [];
  if (single.includes(source_type) && grants.some((each) => each.source_type === source_type && isLive(each, now)))
    return reject('already_granted', 'The person has this access already');
  const period = resumes ? resumed(grants, source_type, resumes, now) : undefined;
  const granted = { ...about, grant_id, source_type, source_id, ...(period ?? { starts_at, expires_at }) };
  return [{ type: 'AccessGranted', data: granted }];
}

/** From when to when access is given that goes on after it rested; undefined when it was never given. */
function resumed(grants: readonly Grant[], source_type: string, { isOf, since }: Interrupted, now: string) {
  const before = grants.findLast((each) => each.source_type === source_type && isOf(each.source_id) && each.starts_at);
  if (!before?.starts_at) return undefined;
  const { starts_at, expires_at } = before;
  const rested = since === null ? 0 : Math.max(0, Date.parse(now) - Date.parse(since));
  return { starts_at, expires_at: expires_at === null ? null : isoTime(Date.parse(expires_at) + rested) };
}

function revoke<About extends object>(
  { reason, ...command }: Asked<'RevokeAccess'>,
  { item, about }: Granting<About>,
  grants: readonly Grant[],
): Decision<About> {
  const { source_type, source_id } = command;
  const grant_id = grantId(command, item);
  if (grants.some((each) => each.grant_id === grant_id && each.revoked)) return [];
  return [{ type: 'AccessRevoked', data: { ...about, grant_id, source_type, source_id, reason } }];
}

/** The grants of the staff that were not revoked, those that have expired too; the newest last. */
const ofStaff = (grants: readonly Grant[]): readonly Grant[] =>
  grants.filter(({ source_type, revoked }) => source_type === 'staff' && !revoked);

function extend<About extends object>(
  { expires_at, now }: Asked<'ExtendStaffAccess'>,
  { about }: Granting<About>,
  grants: readonly Grant[],
): Decision<About> {
  const extended = ofStaff(grants).at(-1);
  if (!extended) return reject('invalid_state', 'This access was not given by the staff');
  if (expires_at !== null && expires_at <= now)
    return reject('validation_failed', 'Access must end in the future', [
      { path: 'expires_at', code: 'not_in_future', message: 'must be in the future' },
    ]);
  if (extended.expires_at === expires_at) return [];
  const { grant_id, source_type, source_id } = extended;
  return [{ type: 'AccessExtended', data: { ...about, grant_id, source_type, source_id, expires_at } }];
}

const revokeStaff = <About extends object>({ about }: Granting<About>, grants: readonly Grant[]): Decision<About> =>
  ofStaff(grants).map(({ grant_id, source_type, source_id }) => ({
    type: 'AccessRevoked',
    data: { ...about, grant_id, source_type, source_id, reason: 'staff' },
  }));
