import type { View } from '../resource/view.ts';
import type { Course } from './course.state.ts';

/** Who asks. `manages`: all courses, the own ones (a lecturer), or none. */
export interface Viewer {
  readonly view: View;
  /** The names that a course may know them by: the subject, and the lecturer's profile when one is linked. */
  readonly names: readonly string[];
  readonly manages: 'all' | 'own' | 'none';
}

/** Whose courses they are: the lecturers' and the creator's. */
export const ownersOf = ({
  created_by,
  lecturer_ids,
}: Pick<Course, 'created_by' | 'lecturer_ids'>): readonly string[] => [...new Set([created_by, ...lecturer_ids])];

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
export const isListed = ({ status, listing }: Pick<Course, 'status' | 'listing'>): boolean =>
  status === 'published' && listing === 'listed';

/**
 * Whether the viewer may know of the course, of which they know `ref`. Who knows the slug of an unlisted course was told it;
 * a new slug ends what was told before.
 */
export const mayKnow = (viewer: Viewer, course: Course, ref: string): boolean =>
  manages(viewer, course) || isListed(course) || (course.status === 'published' && ref === course.slug);
