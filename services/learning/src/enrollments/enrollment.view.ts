import type { View } from '@lyceum/web';
import { type LearningPath, nextLesson, progressIn } from '../courses/learning-path.ts';
import { accessPeriod } from '../grants/grant.ts';
import { awaitedDocument, grantDocument } from '../grants/grant.view.ts';
import { shownState } from './enrollment.seating.ts';
import { type Enrollment, completedLessons } from './enrollment.state.ts';

/** How far the member has got in the course as it is now. */
export const progressDocument = (enrollment: Enrollment, path: Pick<LearningPath, 'lessons'>) => ({
  ...progressIn(path, completedLessons(enrollment)),
  last_activity_at: enrollment.last_activity_at,
});

/** With what an enrollment is shown. `path`: the course as it is now. */
interface Showing {
  readonly view: View;
  /** RFC 3339 UTC. */
  readonly now: string;
  readonly path: LearningPath;
}

/** The lesson with which the member goes on; null without access, or when nothing that is open is left. */
function goingOn(enrollment: Enrollment, { path, now }: Showing) {
  const period = accessPeriod(enrollment, now);
  const learner = period && { started_at: period.starts_at, completed: completedLessons(enrollment) };
  const lesson = learner && nextLesson(path, learner, now);
  if (!lesson) return null;
  const { id, title, type, duration_s } = lesson;
  return { id, title, type, duration_s };
}

/** An enrollment as a view shows it at a time: what only the staff or only the member see is absent from other views. */
export function enrollmentDocument(id: string, enrollment: Enrollment, showing: Showing) {
  const { view, now, path } = showing;
  const { member_id, course_id, grants, completed_at, certificate_id, created_at, updated_at, version } = enrollment;
  const { awaiting } = enrollment.seating;
  const period = accessPeriod(enrollment, now);
  return {
    id,
    object: 'enrollment',
    course_id,
    course_title: path.title,
    state: shownState(enrollment, period !== null),
    starts_at: period?.starts_at ?? null,
    expires_at: period?.expires_at ?? null,
    progress: progressDocument(enrollment, path),
    completed_at,
    certificate_id,
    ...(view === 'staff'
      ? { member_id, grants: [...grants.map((grant) => grantDocument(grant, now)), ...awaiting.map(awaitedDocument)] }
      : { next_lesson: goingOn(enrollment, showing) }),
    created_at,
    updated_at,
    version,
    view,
  };
}
