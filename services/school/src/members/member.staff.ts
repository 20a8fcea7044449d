import { type Decider, type Rejection, isRejection } from '@lyceum/kernel';
import { type StaffEvent, staffEvents } from '../staff/staff.events.ts';
import {
  type StaffCode,
  type StaffState,
  type Membership,
  runsSchool,
  staffDecider,
  staffStream,
} from '../staff/staff.ts';
import type { MemberEvent } from './member.events.ts';
import { type MemberState, evolve } from './member.state.ts';
import { type MemberCode, type MemberCommand, memberDecider } from './member.ts';

/** Why nothing was written. */
export type MemberRefusal = MemberCode | StaffCode;

/** A command about a member, with the staff that has to consent. */
export interface StaffedCommand {
  readonly member: string;
  readonly command: MemberCommand;
  /** Id of the member who asks; undefined = the platform, which may do what no member may. */
  readonly by: string | undefined;
  /** The person is gone already. */
  readonly erased: boolean;
  readonly staff: StaffState;
}

/** Commands that change neither role nor status. */
const free: ReadonlySet<MemberCommand['type']> = new Set(['ChangeMember', 'ReaddressMember', 'RenewInvitation']);

/** Whether the staff has to be read for a command. */
export const needsStaff = ({ type }: MemberCommand): boolean => !free.has(type);

/** The platform lets people join who run nothing: the staff neither has a say in that nor changes by it. */
const joinsFreely = ({ by, command }: StaffedCommand, after: MemberState): boolean =>
  by === undefined && (command.type === 'JoinSchool' || command.type === 'InviteMember') && !runsSchool(after?.role);

const membershipOf = (state: MemberState): Membership | undefined =>
  state && state.status !== 'erased' ? { role: state.role, active: state.status === 'active' } : undefined;

/** What a change of a member means for the staff, or why the staff does not consent. */
function consent(
  asked: StaffedCommand,
  before: MemberState,
  after: MemberState,
): readonly StaffEvent[] | Rejection<StaffCode> {
  if (!needsStaff(asked.command) || joinsFreely(asked, after)) return [];
  const memberships = { before: membershipOf(before), after: membershipOf(after) };
  return staffDecider.decide({ by: asked.by, member: asked.member, ...memberships, erased: asked.erased }, asked.staff);
}

/** Neither role nor status depends on the time of an event. */
const untimed = { at: '', version: 0 };

/** A member, whose changes need the staff's consent: only owners change owners and admins, and an owner always stays. */
export const staffedMemberDecider: Decider<MemberState, StaffedCommand, MemberEvent, MemberRefusal> = {
  ...memberDecider,
  decide(asked, state) {
    const decision = memberDecider.decide(asked.command, state);
    if (isRejection(decision) || decision.length === 0) return decision;
    const after = decision.reduce<MemberState>((from, event) => evolve(from, event, untimed), state);
    const given = consent(asked, state, after);
    return isRejection(given) ? given : decision;
  },
  sideEvents(before, after, asked) {
    const given = consent(asked, before, after);
    if (isRejection(given)) return [];
    return given.map((event) => ({ ...event, stream: staffStream, schema: staffEvents[event.type].version }));
  },
};
