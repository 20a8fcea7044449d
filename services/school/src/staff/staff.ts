import type { Role } from '@lyceum/contracts';
import { type Decider, type Rejection, reject } from '@lyceum/kernel';
import { type StaffEvent, staffEvents } from './staff.events.ts';

/** A role that runs the school. */
type StaffRole = 'owner' | 'admin';

/** The active owners and admins of a school, by member id. */
export type StaffState = Readonly<Record<string, StaffRole>>;

/** Where a member stands before or after a change; undefined = nowhere. */
export interface Membership {
  readonly role: Role;
  readonly active: boolean;
}

/** A requested change of one member's position. */
export interface StaffCommand {
  /** A member's id; undefined = the platform itself, which may do anything but leave a school without an owner. */
  readonly by: string | undefined;
  readonly member: string;
  readonly before: Membership | undefined;
  readonly after: Membership | undefined;
  /** The person is gone already, whatever follows. */
  readonly erased?: boolean;
}

/** Why a change is refused. `access_denied`: the asking member is not of the staff any more. */
export type StaffCode = 'access_denied' | 'role_not_allowed' | 'last_owner';

/** The one stream of a school in which every change of roles meets all others. */
export const staffStream = 'staff';

/** Whether who has this role runs the school. */
export const runsSchool = (role: Role | undefined): role is StaffRole => role === 'owner' || role === 'admin';

const roleIn = (membership: Membership | undefined): StaffRole | undefined =>
  membership?.active && runsSchool(membership.role) ? membership.role : undefined;

const isOtherOwner = (staff: StaffState, member: string): boolean =>
  Object.entries(staff).some(([id, role]) => role === 'owner' && id !== member);

/** Whether the school would be left without an active owner if the member left. */
export const isLastOwner = (staff: StaffState, member: string): boolean =>
  staff[member] === 'owner' && !isOtherOwner(staff, member);

/**
 * Only owners make and unmake owners and admins; anybody may step down. An owner always stays.
 */
function refusal(
  { by, member, before, after, erased }: StaffCommand,
  staff: StaffState,
): Rejection<StaffCode> | undefined {
  const asking = by === undefined ? 'owner' : staff[by];
  if (asking === undefined) return reject('access_denied', 'Your role does not allow this');
  const given = after !== undefined && runsSchool(after.role) && !(by === member && after.role === 'admin');
  const taken = before !== undefined && runsSchool(before.role) && by !== member;
  if (asking !== 'owner' && (given || taken))
    return reject('role_not_allowed', 'Only an owner may make or change owners and admins');
  if (!erased && roleIn(before) === 'owner' && roleIn(after) !== 'owner' && !isOtherOwner(staff, member))
    return reject('last_owner', 'The school needs an active owner: make somebody else one first');
  return undefined;
}

/**
 * Who runs a school. Each change of a role or of a status is decided here against all others, in the commit that makes
 * it: of two owners who demote each other at the same moment, one stays.
 */
export const staffDecider: Decider<StaffState, StaffCommand, StaffEvent, StaffCode> = {
  events: staffEvents,
  initial: {},
  decide(command, state) {
    const refused = refusal(command, state);
    if (refused) return refused;
    const { member, after } = command;
    const [is, becomes] = [state[member], roleIn(after)];
    if (is === becomes) return [];
    return becomes === undefined
      ? [{ type: 'StaffLeft', data: { member } }]
      : [{ type: 'StaffJoined', data: { member, role: becomes } }];
  },
  evolve(state, { type, data }) {
    const { [data.member]: _, ...others } = state;
    return type === 'StaffLeft' ? others : { ...others, [data.member]: data.role };
  },
};
