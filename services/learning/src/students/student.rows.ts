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
} as const;

/**
 * The read model behind the list of students: which courses each was ever given access to, when they learnt something last,
 * and how far they had got with the course that it was of.
 */
export const students: Collection = {
  name: 'students',
  version: 2,
  fields: { ...fields, percent: 'number', last_activity_at: 'text' },
};

/** A student in the read model. */
interface StudentRow {
  readonly state: 'active' | 'lapsed';
  readonly course_ids: readonly string[];
  readonly active_course_ids: readonly string[];
  readonly lapsed_course_ids: readonly string[];
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

const isOfEnrollment = (stream: string): boolean => stream.startsWith('enrollment_');

/** Notes with each member which courses they have access to, had, or were to have, and what they learn. */
export const studentProjection: Projection = {
  collection: students,
  key: (event) => (isOfEnrollment(event.stream) ? upcast(enrollmentEvents, event).data.member_id : undefined),
  project(recorded, before): Document | null {
    const event = upcast(enrollmentEvents, recorded);
    const row = before && rowAs<StudentRow>(before);
    // Whoever was only ever refused is no student.
    if (!row && event.type !== 'AccessGranted') return null;
    const { course_ids = [], active_course_ids = [], created_at = recorded.at } = row ?? {};
    const course = event.data.course_id;
    const isActive = event.type === 'EnrollmentActivated';
    const hasChanged = isActive || event.type === 'EnrollmentLapsed';
    const active = hasChanged ? (isActive ? withCourse : withoutCourse)(active_course_ids, course) : active_course_ids;
    const ever = withCourse(course_ids, course);
    const { percent, last_activity_at, percents, learnt_course_id } = { ...nothing, ...row };
    return {
      state: active.length > 0 ? 'active' : 'lapsed',
      course_ids: ever,
      active_course_ids: active,
      lapsed_course_ids: ever.filter((each) => !active.includes(each)),
      ...learntAfter({ percent, last_activity_at, percents, learnt_course_id }, event, recorded.at),
      created_at,
      updated_at: recorded.at,
    };
  },
  erase: { documents: (subject) => [subject] },
};

/** The version before, which could not be asked about progress, while the present one is built. */
export const studentProjectionBefore: Projection = {
  ...studentProjection,
  collection: { name: 'students', version: 1, fields },
};
