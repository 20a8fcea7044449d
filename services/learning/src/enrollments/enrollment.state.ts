import { type Recorded, recording, unrecorded } from '@lyceum/kernel';
import type { EnrollmentEvent } from './enrollment.events.ts';

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

/** What a member has done of a lesson. Times are RFC 3339 UTC. */
export interface LearntLesson {
  readonly started_at: string;
  /** null = not completed. */
  readonly completed_at: string | null;
  /** Where in it the member was last, seconds; null = never said. */
  readonly position_s: number | null;
}

/** One member's access to one course, a set of grants, and what was learnt there. */
export interface Enrollment extends Recorded {
  readonly member_id: string;
  readonly course_id: string;
  readonly grants: readonly Grant[];
  /** Whether it counts as active in what was published. Whether there is access now, `hasAccess` tells. */
  readonly active: boolean;
  /** When it became active for the first time. */
  readonly activated_at: string | null;
  /** By the id of the lesson, also of those that the course has no more. */
  readonly lessons: Readonly<Record<string, LearntLesson>>;
  /** When all that the course asked for was completed. */
  readonly completed_at: string | null;
  /** When the member last learnt something. */
  readonly last_activity_at: string | null;
  /** How often the member has begun anew. */
  readonly resets: number;
  /** The certificate of the completion; null = there is none. A later beginning leaves it as it is. */
  readonly certificate_id: string | null;
}

/** An enrollment; null = nothing was ever granted or revoked. */
export type EnrollmentState = Enrollment | null;

/** Whether a grant gives access at a time. */
export const isLive = ({ revoked, starts_at, expires_at }: Grant, now: string): boolean =>
  !revoked && starts_at !== null && starts_at <= now && (expires_at === null || expires_at > now);

/** Whether there is access at a time: any live grant. */
export const hasAccess = (state: EnrollmentState, now: string): boolean =>
  state?.grants.some((grant) => isLive(grant, now)) ?? false;

/** When the access that there is began and will end: with the first and the last of the live grants. Null without access. */
export function accessPeriod(
  { grants }: Pick<Enrollment, 'grants'>,
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

const blank = ({ member_id, course_id }: Pick<Enrollment, 'member_id' | 'course_id'>): Enrollment => ({
  member_id,
  course_id,
  grants: [],
  active: false,
  activated_at: null,
  lessons: {},
  completed_at: null,
  last_activity_at: null,
  resets: 0,
  certificate_id: null,
  ...unrecorded,
});

/** The enrollment after an event, but for its times. */
export function apply(before: EnrollmentState, { type, data }: EnrollmentEvent): Enrollment {
  const state = before ?? blank(data);
  switch (type) {
    case 'AccessGranted': {
      const { grant_id, source_type, source_id, starts_at, expires_at } = data;
      const grant = { grant_id, source_type, source_id, starts_at, expires_at, revoked: false };
      return { ...state, grants: withGrant(state.grants, grant) };
    }
    case 'AccessExtended': {
      const { grant_id, expires_at } = data;
      return {
        ...state,
        grants: state.grants.map((each) => (each.grant_id === grant_id ? { ...each, expires_at } : each)),
      };
    }
    case 'AccessRevoked': {
      const { grant_id, source_type, source_id } = data;
      const known = state.grants.find((each) => each.grant_id === grant_id);
      const grant = known ?? { grant_id, source_type, source_id, starts_at: null, expires_at: null };
      return { ...state, grants: withGrant(state.grants, { ...grant, revoked: true }) };
    }
    case 'EnrollmentActivated':
      return { ...state, active: true };
    case 'EnrollmentLapsed':
      return { ...state, active: false };
    case 'ProgressReset':
      return { ...state, lessons: {}, completed_at: null, resets: state.resets + 1 };
    case 'EnrollmentCertified':
      return { ...state, certificate_id: data.certificate_id };
    default:
      return state;
  }
}

/** Ids of the lessons that are completed. */
export const completedLessons = ({ lessons }: Pick<Enrollment, 'lessons'>): ReadonlySet<string> =>
  new Set(Object.keys(lessons).filter((id) => lessons[id]?.completed_at));

/** The enrollment after something was learnt, of which the time is kept. */
function learnt(state: Enrollment, { type, data }: EnrollmentEvent, at: string): Enrollment {
  switch (type) {
    case 'EnrollmentActivated':
      return { ...state, activated_at: state.activated_at ?? at };
    case 'EnrollmentCompleted':
      return { ...state, completed_at: state.completed_at ?? at };
    case 'LessonStarted':
    case 'LessonPositionKept':
    case 'LessonCompleted': {
      const known = state.lessons[data.lesson_id] ?? { started_at: at, completed_at: null, position_s: null };
      const completed_at = type === 'LessonCompleted' ? (known.completed_at ?? at) : known.completed_at;
      const lesson = { ...known, completed_at, position_s: data.position_s ?? known.position_s };
      return { ...state, lessons: { ...state.lessons, [data.lesson_id]: lesson }, last_activity_at: at };
    }
    default:
      return state;
  }
}

const recorded = recording<Enrollment, EnrollmentEvent>(apply, { created: 'AccessGranted' });

/** Folds an event as the log recorded it. */
export function evolve(
  before: EnrollmentState,
  event: EnrollmentEvent,
  context: Parameters<typeof recorded>[2],
): EnrollmentState {
  const state = recorded(before, event, context);
  if (!state) return state;
  return { ...learnt(state, event, context.at), created_at: before?.created_at ?? context.at };
}
