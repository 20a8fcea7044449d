import { type CourseLesson, type LearningPath, isOpen } from '../courses/learning-path.ts';
import { type Enrollment, completedLessons } from '../enrollments/enrollment.state.ts';
import { accessPeriod } from '../grants/grant.ts';

/** A member's enrollment in a course as it is at a time (RFC 3339 UTC). */
export interface Learning {
  readonly id: string;
  readonly enrollment: Enrollment;
  readonly path: LearningPath;
  readonly now: string;
}

/** Shows lessons of a course as they stand with the member. */
export function lessonsShown({ id: enrollment_id, enrollment, path, now }: Learning) {
  const period = accessPeriod(enrollment, now);
  const completed = completedLessons(enrollment);
  const learner = period && { started_at: period.starts_at, completed };
  const stateOf = (lesson: CourseLesson) => {
    if (completed.has(lesson.id)) return 'completed';
    if (!learner || !isOpen(path, lesson, learner, now)) return 'locked';
    return enrollment.lessons[lesson.id] ? 'started' : 'available';
  };
  return (lesson: CourseLesson) => {
    const { id, title, type, duration_s, required } = lesson;
    const { position_s = null, started_at = null, completed_at = null } = enrollment.lessons[id] ?? {};
    return {
      id,
      object: 'learnt_lesson',
      enrollment_id,
      course_id: enrollment.course_id,
      title,
      type,
      duration_s,
      required,
      state: stateOf(lesson),
      position_s,
      started_at,
      completed_at,
      view: 'member',
    };
  };
}
