import { type Collection, type Document, type Projection, rowAs } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { type EnrollmentEvent, enrollmentEvents } from '../enrollments/enrollment.events.ts';

const fields = {
  state: 'text',
  course_ids: 'set',
  active_course_ids: 'set',
  lapsed_course_ids: 'set',
  created_at: 'text',
  updated_at: 'text',
  percent: 'number',
  last_activity_at: 'text',
} as const;

/**
 * The read model behind the list of students: which courses each was ever given access to or asked for a seat in, when they
 * learnt something last, and how far they had got with the course that it was of.
 */
export const students: Collection = {
  name: 'students',
  version: 3,
  fields: { ...fields, awaiting_course_ids: 'set', refused_course_ids: 'set', seats: 'set' },
};

/** A student in the read model. */
interface StudentRow {
  readonly state: 'active' | 'lapsed';
  readonly course_ids: readonly string[];
  readonly active_course_ids: readonly string[];
  readonly lapsed_course_ids: readonly string[];
  /** Those without access in which a seat was asked for: it is awaited, or there was none. */
  readonly awaiting_course_ids: readonly string[];
  readonly refused_course_ids: readonly string[];
  /** Which of the two there are. */
  readonly seats: readonly ('awaiting_seat' | 'refused')[];
  /** The same courses, with those that there is access to from elsewhere. */
  readonly asked: { readonly awaiting: readonly string[]; readonly refused: readonly string[] };
  /** How far the member has got with the course that they learnt last, as it was then; null = has learnt nothing. */
  readonly percent: number | null;
  readonly last_activity_at: string | null;
  /** Per cent of each course of which something is completed. */
  readonly percents: Readonly<Record<string, number>>;
  readonly learnt_course_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

type Learnt = Pick<StudentRow, 'percent' | 'last_activity_at' | 'percents' | 'learnt_course_id'>;

const nothing: Learnt = { percent: null, last_activity_at: null, percents: {}, learnt_course_id: null };

/** What a student has learnt after an event. */
function learntAfter({ percents, ...before }: Learnt, { type, data }: EnrollmentEvent, at: string): Learnt {
  const { course_id } = data;
  const isOfLast = before.learnt_course_id === course_id;
  switch (type) {
    case 'LessonStarted':
    case 'LessonPositionKept':
      return { percents, percent: percents[course_id] ?? 0, last_activity_at: at, learnt_course_id: course_id };
    case 'LessonCompleted': {
      const { percent } = data;
      return {
        percents: { ...percents, [course_id]: percent },
        percent,
        last_activity_at: at,
        learnt_course_id: course_id,
      };
    }
    case 'EnrollmentCompleted':
      return { ...before, percents: { ...percents, [course_id]: 100 }, ...(isOfLast ? { percent: 100 } : {}) };
    case 'ProgressReset': {
      const { [course_id]: _reset, ...others } = percents;
      return { ...before, percents: others, ...(isOfLast ? { percent: 0 } : {}) };
    }
    default:
      return { percents, ...before };
  }
}

const withCourse = (ids: readonly string[], course: string): readonly string[] => [...new Set([...ids, course])];
const withoutCourse = (ids: readonly string[], course: string): readonly string[] =>
  ids.filter((each) => each !== course);

type Courses = Omit<StudentRow, keyof Learnt | 'created_at' | 'updated_at'>;

/** In which courses a student is, waits for a seat, or was, after an event. */
function coursesAfter(before: Courses | undefined, { type, data: { course_id } }: EnrollmentEvent): Courses {
  const { course_ids = [], active_course_ids: active = [] } = before ?? {};
  const { awaiting, refused } = before?.asked ?? { awaiting: [], refused: [] };
  const changed = (ids: readonly string[], begins: string, ...ends: readonly string[]): readonly string[] => {
    if (type === begins) return withCourse(ids, course_id);
    return ends.includes(type) ? withoutCourse(ids, course_id) : ids;
  };
  const isIn = changed(active, 'EnrollmentActivated', 'EnrollmentLapsed');
  const asked = {
    awaiting: changed(awaiting, 'SeatRequested', 'SeatObtained', 'SeatRefused', 'SeatReturned'),
    refused: changed(refused, 'SeatRefused', 'SeatRequested', 'AccessGranted', 'AccessExtended'),
  };
  const isOut = (id: string): boolean => !isIn.includes(id);
  const [awaited, none] = [asked.awaiting.filter(isOut), asked.refused.filter(isOut)];
  const ever = withCourse(course_ids, course_id);
  return {
    state: isIn.length > 0 ? 'active' : 'lapsed',
    course_ids: ever,
    active_course_ids: isIn,
    awaiting_course_ids: awaited,
    refused_course_ids: none,
    lapsed_course_ids: ever.filter((id) => isOut(id) && !awaited.includes(id) && !none.includes(id)),
    seats: [
      ...(awaited.length > 0 ? ['awaiting_seat' as const] : []),
      ...(none.length > 0 ? ['refused' as const] : []),
    ],
    asked,
  };
}

const isOfEnrollment = (stream: string): boolean => stream.startsWith('enrollment_');

/** Notes with each member which courses they have access to, had, or were to have, and what they learn. */
export const studentProjection: Projection = {
  collection: students,
  key: (event) => (isOfEnrollment(event.stream) ? upcast(enrollmentEvents, event).data.member_id : undefined),
  project(recorded, before): Document | null {
    const event = upcast(enrollmentEvents, recorded);
    const row = before && rowAs<StudentRow>(before);
    // Who was given nothing, and asked for nothing, is no student.
    if (!row && event.type !== 'AccessGranted' && event.type !== 'SeatRequested') return null;
    const { created_at = recorded.at } = row ?? {};
    const { percent, last_activity_at, percents, learnt_course_id } = { ...nothing, ...row };
    return {
      ...coursesAfter(row, event),
      ...learntAfter({ percent, last_activity_at, percents, learnt_course_id }, event, recorded.at),
      created_at,
      updated_at: recorded.at,
    };
  },
  erase: { documents: (subject) => [subject] },
};

/** The version before, which could not be asked about seats, while the present one is built. */
export const studentProjectionBefore: Projection = {
  ...studentProjection,
  collection: { name: 'students', version: 2, fields },
};
