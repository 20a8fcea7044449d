import { type Decider, type Rejection, isRejection, reject, uuidv5 } from '@lyceum/kernel';
import { type EnrollmentEvent, enrollmentEvents } from './enrollment.events.ts';
import { type LessonCommand, complete, noticeCompletion, reset, start } from './enrollment.lessons.ts';
import {
  type Enrollment,
  type EnrollmentState,
  type Grant,
  apply,
  evolve,
  hasAccess,
  isLive,
} from './enrollment.state.ts';

/** What a grant comes from: its kind, and its id there. */
export interface Source {
  readonly source_type: 'staff' | 'free' | 'order_line' | 'subscription';
  readonly source_id: string;
}

/** Whose access to what a command is about. */
interface Enrolled {
  readonly member_id: string;
  readonly course_id: string;
  /** RFC 3339 UTC, as are all times. */
  readonly now: string;
}

/** What can be asked of an enrollment. */
export type EnrollmentCommand = Enrolled &
  (
    | ({ readonly type: 'GrantAccess'; readonly starts_at: string; readonly expires_at: string | null } & Source)
    | ({ readonly type: 'RevokeAccess'; readonly reason: string } & Source)
    /** The grant of the staff lasts until another time; null = for ever. */
    | { readonly type: 'ExtendStaffAccess'; readonly expires_at: string | null }
    | { readonly type: 'RevokeStaffAccess' }
    /** Notices that the time of grants is over. */
    | { readonly type: 'ExpireAccess' }
    | LessonCommand
  );

type Command<T extends EnrollmentCommand['type']> = Extract<EnrollmentCommand, { type: T }>;

/** What a command can be rejected for. */
export type EnrollmentCode =
  'not_found' | 'already_granted' | 'invalid_state' | 'locked_lesson' | 'not_entitled' | 'validation_failed';

type Decision = readonly EnrollmentEvent[] | Rejection<EnrollmentCode>;

/** The stream of a member's access to a course: its id follows from the two, so there is one. */
export const enrollmentStream = (member: string, course: string): string =>
  `enrollment_${uuidv5('enrollment', member, course)}`;

/** The id of a grant: the same source never grants the same item twice. */
export const grantId = ({ source_type, source_id }: Source, course: string): string =>
  uuidv5('grant', source_type, source_id, 'course', course);

/** Sources of which a member has one live grant at most: they are asked for by people, who would not see a second. */
const single: readonly string[] = ['staff', 'free'];

function decide(command: EnrollmentCommand, before: EnrollmentState): Decision {
  const expired = expiry(command, before);
  const decision = changes(command, expired.reduce<EnrollmentState>(apply, before));
  if (isRejection(decision)) return decision;
  const events = [...expired, ...decision];
  return [...events, ...activation(command, events.reduce<EnrollmentState>(apply, before), events)];
}

/** That the access which there was has ended by time, where that was not noticed yet. */
const expiry = ({ now }: EnrollmentCommand, state: EnrollmentState): readonly EnrollmentEvent[] =>
  state?.active && !hasAccess(state, now) ? [lapsed(state, 'expired')] : [];

const lapsed = ({ member_id, course_id }: Enrollment, reason: string): EnrollmentEvent => ({
  type: 'EnrollmentLapsed',
  data: { member_id, course_id, reason },
});

/** That access begins with the events, or ends with them. */
function activation(
  { now }: EnrollmentCommand,
  state: EnrollmentState,
  events: readonly EnrollmentEvent[],
): readonly EnrollmentEvent[] {
  if (!state || state.active === hasAccess(state, now)) return [];
  if (state.active) {
    const reason = events.flatMap(({ type, data }) => (type === 'AccessRevoked' ? data.reason : [])).at(-1);
    return [lapsed(state, reason ?? 'expired')];
  }
  const { member_id, course_id, activated_at, grants } = state;
  const { source_type } = grants.find((grant) => isLive(grant, now))!;
  return [{ type: 'EnrollmentActivated', data: { member_id, course_id, source_type, again: activated_at !== null } }];
}

/** What the command itself changes. */
function changes(command: EnrollmentCommand, state: EnrollmentState): Decision {
  switch (command.type) {
    case 'GrantAccess':
      return grant(command, state);
    case 'RevokeAccess':
      return revoke(command, state);
    case 'ExtendStaffAccess':
      return extend(command, state);
    case 'RevokeStaffAccess':
      return revokeStaff(command, state);
    case 'ExpireAccess':
      return [];
    case 'StartLesson':
      return start(command, state);
    case 'CompleteLesson':
      return complete(command, state);
    case 'NoticeCompletion':
      return noticeCompletion(command, state);
    case 'ResetProgress':
      return reset(command, state);
  }
}

function grant({ now, starts_at, expires_at, ...command }: Command<'GrantAccess'>, state: EnrollmentState): Decision {
  const { member_id, course_id, source_type, source_id } = command;
  const grant_id = grantId(command, course_id);
  const grants = state?.grants ?? [];
  // Granted before, or revoked, be it before it came.
  if (grants.some((each) => each.grant_id === grant_id)) return [];
  if (single.includes(source_type) && grants.some((each) => each.source_type === source_type && isLive(each, now)))
    return reject('already_granted', 'The person has this access already');
  return [
    {
      type: 'AccessGranted',
      data: { member_id, course_id, grant_id, source_type, source_id, starts_at, expires_at },
    },
  ];
}

function revoke({ reason, ...command }: Command<'RevokeAccess'>, state: EnrollmentState): Decision {
  const { member_id, course_id, source_type, source_id } = command;
  const grant_id = grantId(command, course_id);
  if (state?.grants.some((each) => each.grant_id === grant_id && each.revoked)) return [];
  return [{ type: 'AccessRevoked', data: { member_id, course_id, grant_id, source_type, source_id, reason } }];
}

/** The grants of the staff that were not revoked, those that have expired too; the newest last. */
const staffGrants = ({ grants }: Enrollment): readonly Grant[] =>
  grants.filter(({ source_type, revoked }) => source_type === 'staff' && !revoked);

function extend({ expires_at, now }: Command<'ExtendStaffAccess'>, state: EnrollmentState): Decision {
  if (!state) return reject('not_found', 'There is no such enrollment');
  const extended = staffGrants(state).at(-1);
  if (!extended) return reject('invalid_state', 'This access was not given by the staff');
  if (expires_at !== null && expires_at <= now)
    return reject('validation_failed', 'Access must end in the future', [
      { path: 'expires_at', code: 'not_in_future', message: 'must be in the future' },
    ]);
  if (extended.expires_at === expires_at) return [];
  const { member_id, course_id } = state;
  const { grant_id, source_type, source_id } = extended;
  return [{ type: 'AccessExtended', data: { member_id, course_id, grant_id, source_type, source_id, expires_at } }];
}

function revokeStaff(_command: Command<'RevokeStaffAccess'>, state: EnrollmentState): Decision {
  if (!state) return reject('not_found', 'There is no such enrollment');
  const { member_id, course_id } = state;
  return staffGrants(state).map(({ grant_id, source_type, source_id }) => ({
    type: 'AccessRevoked',
    data: { member_id, course_id, grant_id, source_type, source_id, reason: 'staff' },
  }));
}

/** One member's access to one course, and what was learnt there. */
export const enrollmentDecider: Decider<EnrollmentState, EnrollmentCommand, EnrollmentEvent, EnrollmentCode> = {
  events: enrollmentEvents,
  initial: null,
  snapshot: { version: 2 },
  decide,
  evolve,
};
