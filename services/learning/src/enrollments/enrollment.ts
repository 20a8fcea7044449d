import { type Decider, type Rejection, isRejection, uuidv5 } from '@lyceum/kernel';
import { type GrantCode, type GrantCommand, decideGrants } from '../grants/grant.deciding.ts';
import { hasAccess, isLive } from '../grants/grant.ts';
import { type EnrollmentEvent, enrollmentEvents } from './enrollment.events.ts';
import { type LessonCommand, complete, noticeCompletion, reset, start } from './enrollment.lessons.ts';
import { type Enrollment, type EnrollmentState, apply, evolve } from './enrollment.state.ts';

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
    | GrantCommand
    /** Notices that the time of grants is over. */
    | { readonly type: 'ExpireAccess' }
    | LessonCommand
  );

/** What a command can be rejected for. */
export type EnrollmentCode = GrantCode | 'locked_lesson' | 'not_entitled';

type Decision = readonly EnrollmentEvent[] | Rejection<EnrollmentCode>;

/** The stream of a member's access to a course: its id follows from the two, so there is one. */
export const enrollmentStream = (member: string, course: string): string =>
  `enrollment_${uuidv5('enrollment', member, course)}`;

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
    case 'RevokeAccess':
    case 'FollowPlan':
    case 'ExtendStaffAccess':
    case 'RevokeStaffAccess':
      return grantChanges(command, state);
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

function grantChanges(command: Enrolled & GrantCommand, state: EnrollmentState): Decision {
  const { member_id, course_id } = command;
  const granting = { item: { item_type: 'course', item_id: course_id }, about: { member_id, course_id } } as const;
  return decideGrants(command, granting, state?.grants);
}

/** One member's access to one course, and what was learnt there. */
export const enrollmentDecider: Decider<EnrollmentState, EnrollmentCommand, EnrollmentEvent, EnrollmentCode> = {
  events: enrollmentEvents,
  initial: null,
  snapshot: { version: 2 },
  decide,
  evolve,
};
