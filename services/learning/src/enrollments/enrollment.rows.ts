import { type Collection, type Document, type Projection, rowAs } from '@lyceum/documents';
import { upcast } from '@lyceum/kernel';
import { type EnrollmentEvent, enrollmentEvents } from './enrollment.events.ts';
import { type ShownState, shownState, unseated } from './enrollment.seating.ts';
import { type Enrollment, completedLessons, evolve } from './enrollment.state.ts';

/**
 * The read model behind lists of enrollments, so that a list can be asked for what was published: `state`, and `percent`
 * as it was with the last lesson that was completed.
 */
export const enrollments: Collection = {
  name: 'enrollments',
  version: 3,
  fields: {
    member_id: 'text',
    course_id: 'text',
    state: 'text',
    percent: 'number',
    last_activity_at: 'text',
    created_at: 'text',
    updated_at: 'text',
  },
};

/** An enrollment in the read model: of its lessons it has the ids of those that are completed. */
export interface EnrollmentRow extends Omit<Enrollment, 'lessons'> {
  readonly completed: readonly string[];
  readonly state: ShownState | 'none';
  readonly percent: number;
}

/** The enrollment of a row. What was never completed is not among its lessons, and when it was is not told. */
export function enrollmentOf(row: Document): Enrollment {
  const known = rowAs<Omit<EnrollmentRow, 'seating'> & Partial<Pick<EnrollmentRow, 'seating'>>>(row);
  // Rows of the version before know nothing of seats.
  const { state: _state, percent: _percent, completed = [], seating = unseated, ...enrollment } = known;
  const learnt = (id: string) => [id, { started_at: '', completed_at: enrollment.updated_at, position_s: null }];
  return { ...enrollment, seating, lessons: Object.fromEntries(completed.map(learnt)) };
}

/** `none`: what was to be granted was revoked before it came, and nothing else was. */
const stateOf = (enrollment: Enrollment): EnrollmentRow['state'] => {
  const state = shownState(enrollment, enrollment.active);
  return state === 'lapsed' && enrollment.grants.every(({ starts_at }) => starts_at === null) ? 'none' : state;
};

/** How far the member has got after an event, in per cent. */
function percentAfter({ type, data }: EnrollmentEvent, before: number): number {
  if (type === 'LessonCompleted') return data.percent;
  if (type === 'EnrollmentCompleted') return 100;
  return type === 'ProgressReset' ? 0 : before;
}

const isOfEnrollment = (stream: string): boolean => stream.startsWith('enrollment_');

/** Folds each enrollment's events into its row. Of an erased member nothing is kept, and nothing is begun anew. */
export const enrollmentProjection: Projection = {
  collection: enrollments,
  key: ({ stream }) => (isOfEnrollment(stream) ? stream : undefined),
  project(recorded, before) {
    if (!before && recorded.version > 1) return null;
    const { at, version } = recorded;
    const event = upcast(enrollmentEvents, recorded);
    const next = evolve(before ? enrollmentOf(before) : null, event, { at, version });
    if (!next) return null;
    const { lessons: _lessons, ...rest } = next;
    const percent = percentAfter(event, Number(before?.['percent'] ?? 0));
    return { ...rest, completed: [...completedLessons(next)], state: stateOf(next), percent };
  },
  erase: { documents: { field: 'member_id' } },
};

/** The version before, whose rows know nothing of seats, while the present one is built. */
export const enrollmentProjectionBefore: Projection = {
  ...enrollmentProjection,
  collection: { ...enrollments, version: 2 },
};
