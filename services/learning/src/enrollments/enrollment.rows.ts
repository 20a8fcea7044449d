import { type Collection, type Document, type Projection, rowAs } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { enrollmentEvents } from './enrollment.events.ts';
import { type Enrollment, evolve } from './enrollment.state.ts';

/** The read model behind lists of enrollments. `state`: as it was published, so that a list can be asked for it. */
export const enrollments: Collection = {
  name: 'enrollments',
  version: 1,
  fields: { member_id: 'text', course_id: 'text', state: 'text', created_at: 'text', updated_at: 'text' },
};

/** The read model behind the list of students: which courses each was ever given access to. */
export const students: Collection = {
  name: 'students',
  version: 1,
  fields: {
    state: 'text',
    course_ids: 'set',
    active_course_ids: 'set',
    lapsed_course_ids: 'set',
    created_at: 'text',
    updated_at: 'text',
  },
};

/** The enrollment of a row. */
export function enrollmentOf(row: Document): Enrollment {
  const { state: _state, ...enrollment } = row;
  return rowAs<Enrollment>(enrollment);
}

/** `none`: what was to be granted was revoked before it came, and nothing else was. */
const stateOf = ({ active, grants }: Enrollment): 'active' | 'lapsed' | 'none' => {
  if (active) return 'active';
  return grants.some(({ starts_at }) => starts_at !== null) ? 'lapsed' : 'none';
};

const isOfEnrollment = (stream: string): boolean => stream.startsWith('enrollment_');

/** Folds each enrollment's events into its row. Of an erased member nothing is kept, and nothing is begun anew. */
export const enrollmentProjection: Projection = {
  collection: enrollments,
  key: ({ stream }) => (isOfEnrollment(stream) ? stream : undefined),
  project(event, before) {
    if (!before && event.version > 1) return null;
    const { at, version } = event;
    const next = evolve(before ? enrollmentOf(before) : null, upcast(enrollmentEvents, event), { at, version });
    return next && { ...next, state: stateOf(next) };
  },
  erase: { documents: { field: 'member_id' } },
};

/** A student in the read model. */
interface StudentRow {
  readonly state: 'active' | 'lapsed';
  readonly course_ids: readonly string[];
  readonly active_course_ids: readonly string[];
  readonly lapsed_course_ids: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
}

const withCourse = (ids: readonly string[], course: string): readonly string[] => [...new Set([...ids, course])];
const withoutCourse = (ids: readonly string[], course: string): readonly string[] =>
  ids.filter((each) => each !== course);

/** Notes with each member which courses they have access to, had, or were to have. */
export const studentProjection: Projection = {
  collection: students,
  key: (event) => (isOfEnrollment(event.stream) ? upcast(enrollmentEvents, event).data.member_id : undefined),
  project(event, before): Document | null {
    const { type, data } = upcast(enrollmentEvents, event);
    const row = before && rowAs<StudentRow>(before);
    // Whoever was only ever refused is no student.
    if (!row && type !== 'AccessGranted') return null;
    const { course_ids = [], active_course_ids = [], created_at = event.at } = row ?? {};
    const course = data.course_id;
    const isActive = type === 'EnrollmentActivated';
    const hasChanged = isActive || type === 'EnrollmentLapsed';
    const active = hasChanged ? (isActive ? withCourse : withoutCourse)(active_course_ids, course) : active_course_ids;
    const ever = withCourse(course_ids, course);
    return {
      state: active.length > 0 ? 'active' : 'lapsed',
      course_ids: ever,
      active_course_ids: active,
      lapsed_course_ids: ever.filter((each) => !active.includes(each)),
      created_at,
      updated_at: event.at,
    };
  },
  erase: { documents: (subject) => [subject] },
};
