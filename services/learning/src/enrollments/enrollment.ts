import { type Decider, type Rejection, isRejection } from '@lyceum/kernel';
import { type GrantCode, type GrantCommand, decideGrants } from '../grants/grant.deciding.ts';
import { hasAccess, isLive } from '../grants/grant.ts';
import { type EnrollmentEvent, enrollmentEvents } from './enrollment.events.ts';
import { type LessonCommand, complete, noticeCompletion, reset, start } from './enrollment.lessons.ts';
import { type SeatCommand, decideSeat, seatEnd, withAwaited, withSeat } from './enrollment.seats.ts';
import { type Enrollment, type EnrollmentState, apply, evolve } from './enrollment.state.ts';

export { enrollmentStream } from './enrollment.seats.ts';

/** Whose access to what a command is about. */
interface Enrolled {
  readonly member_id: string;
  readonly course_id: string;
  /** RFC 3339 UTC, as are all times. */
  readonly now: string;
}

/** What can be asked of an enrollment. */
export type EnrollmentCommand = Enrolled &
  /** `seat`: the course has so many, so that what is given without an order waits for one. */
  (
    | (GrantCommand & { readonly seat?: boolean })
    | SeatCommand
    /** Notices that the time of grants is over. */
    | { readonly type: 'ExpireAccess' }
    | LessonCommand
  );

/** What a command can be rejected for. */
export type EnrollmentCode = GrantCode | 'locked_lesson' | 'not_entitled';

type Decision = readonly EnrollmentEvent[] | Rejection<EnrollmentCode>;

function decide(command: EnrollmentCommand, before: EnrollmentState): Decision {
  const expired = expiry(command, before);
  const decision = changes(command, expired.reduce<EnrollmentState>(apply, before));
  if (isRejection(decision)) return decision;
  const events = [...expired, ...decision];
  const after = events.reduce<EnrollmentState>(apply, before);
  return [...events, ...activation(command, after, events), ...seatEnd(command, after)];
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
    case 'TakeSeat':
    case 'RefuseSeat':
    case 'GiveUpSeat':
      return decideSeat(command, state);
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

function grantChanges(
  { seat = false, ...command }: Enrolled & GrantCommand & { readonly seat?: boolean },
  state: EnrollmentState,
): Decision {
  const { member_id, course_id, now } = command;
  const granting = { item: { item_type: 'course', item_id: course_id }, about: { member_id, course_id } } as const;
  const decision = decideGrants(command, granting, withAwaited(state, now));
  return isRejection(decision) ? decision : withSeat(command, seat, state, decision);
}

/** One member's access to one course, and what was learnt there. */
export const enrollmentDecider: Decider<EnrollmentState, EnrollmentCommand, EnrollmentEvent, EnrollmentCode> = {
  events: enrollmentEvents,
  initial: null,
  snapshot: { version: 3 },
  decide,
  evolve,
};
