import type { View } from '@lyceum/web';
import { coverShown } from '../values/covers.ts';
import { shownOf } from '../seats/seats.ts';
import type { CourseItem, CourseReply } from './course.schema.ts';
import type { Course } from './course.state.ts';

/** Who asks. `manages`: all courses, the own ones (a lecturer), or none. */
export interface Viewer {
  readonly view: View;
  /** The names that a course may know them by: the subject, and the lecturer's profile when one is linked. */
  readonly names: readonly string[];
  readonly manages: 'all' | 'own' | 'none';
}

/** Whose courses they are: the lecturers' and the creator's. */
const ownersOf = ({ created_by, lecturer_ids }: Pick<Course, 'created_by' | 'lecturer_ids'>): readonly string[] => [
  ...new Set([created_by, ...lecturer_ids]),
];

/** Whether the viewer may change the course and sees its staff fields. */
export const manages = (viewer: Viewer, course: Pick<Course, 'created_by' | 'lecturer_ids'>): boolean =>
  viewer.manages === 'all' ||
  (viewer.manages === 'own' && ownersOf(course).some((owner) => viewer.names.includes(owner)));

/** How much of this course the viewer sees: of somebody else's course, a lecturer sees what a member sees. */
export const viewOf = (viewer: Viewer, course: Pick<Course, 'created_by' | 'lecturer_ids'>): View => {
  if (viewer.view === 'anonymous') return 'anonymous';
  return manages(viewer, course) ? 'staff' : 'member';
};

/** Whether everybody finds the course in lists. */
const isListed = ({ status, listing }: Pick<Course, 'status' | 'listing'>): boolean =>
  status === 'published' && listing === 'listed';

/**
 * Whether the viewer may know of the course, of which they know `ref`. Who knows the slug of an unlisted course was told it;
 * a new slug ends what was told before.
 */
export const mayKnow = (viewer: Viewer, course: Course, ref: string): boolean =>
  manages(viewer, course) || isListed(course) || (course.status === 'published' && ref === course.slug);

type StaffField = 'seat_limit' | 'seats_taken' | 'listing' | 'status' | 'stats' | 'internal_note';

/** A course as a view shows it. What only staff see is absent from the others, not null. */
export function courseDocument(course: Course, view: View): Omit<CourseReply, StaffField> & Partial<CourseReply> {
  const {
    slugs: _slugs,
    seats_taken,
    created_by: _by,
    ever_listed: _ever,
    cover,
    cover_file,
    seat_limit,
    listing,
    status,
    internal_note,
    ...open
  } = course;
  return {
    ...open,
    object: 'course',
    cover: coverShown({ cover, cover_file }),
    lecturer_ids: [...open.lecturer_ids],
    prices: open.prices.map((price) => ({ ...price })),
    seats: shownOf(seat_limit, seats_taken),
    ...(view === 'staff' ? { seat_limit, seats_taken, listing, status, internal_note, stats: null } : {}),
    view,
  };
}

/** A course in the read model: what lists show, and what they filter by. */
export interface CourseRow extends Omit<Course, 'description' | 'ever_listed'> {
  /** Everybody finds it. */
  readonly listed: boolean;
  readonly owners: readonly string[];
}

/** The row of a course. */
export const rowOf = ({ description: _long, ever_listed: _ever, ...course }: Course): CourseRow => ({
  ...course,
  listed: isListed(course),
  owners: ownersOf(course),
});

/** The course of a row, without what lists do not show. */
export const courseOf = ({ listed: _l, owners: _o, ...course }: CourseRow): Course => ({
  ...course,
  description: [],
  ever_listed: false,
});

/** A course as lists show it. */
export function courseItemDocument(course: Course, view: View): Omit<CourseItem, StaffField> & Partial<CourseItem> {
  const { description: _long, ...item } = courseDocument(course, view);
  return item;
}
