import { type Recorded, recording, unrecorded } from '@lyceum/kernel';
import { type Access, grantsAfter } from '../grants/grant.ts';
import { type Seating, isSeatEvent, seatingAfter, unseated } from './enrollment.seating.ts';
import type { EnrollmentEvent } from './enrollment.events.ts';

/** What a member has done of a lesson. Times are RFC 3339 UTC. */
export interface LearntLesson {
  readonly started_at: string;
  /** null = not completed. */
  readonly completed_at: string | null;
  /** Where in it the member was last, seconds; null = never said. */
  readonly position_s: number | null;
}

/** One member's access to one course, a set of grants, and what was learnt there. */
export interface Enrollment extends Recorded, Access {
  readonly member_id: string;
  readonly course_id: string;
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
  readonly seating: Seating;
}

/** An enrollment; null = nothing was ever granted or revoked. */
export type EnrollmentState = Enrollment | null;

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
  seating: unseated,
  ...unrecorded,
});

/** The enrollment after an event, but for its times. */
export function apply(before: EnrollmentState, event: EnrollmentEvent): Enrollment {
  const state = before ?? blank(event.data);
  if (isSeatEvent(event)) return { ...state, seating: seatingAfter(state.seating, event) };
  switch (event.type) {
    case 'AccessGranted':
    case 'AccessExtended':
    case 'AccessRevoked':
      return {
        ...state,
        grants: grantsAfter(state.grants, event),
        seating: seatingAfter(state.seating, event),
      };
    case 'EnrollmentActivated':
      return { ...state, active: true };
    case 'EnrollmentLapsed':
      return { ...state, active: false };
    case 'ProgressReset':
      return { ...state, lessons: {}, completed_at: null, resets: state.resets + 1 };
    case 'EnrollmentCertified':
      return { ...state, certificate_id: event.data.certificate_id };
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
