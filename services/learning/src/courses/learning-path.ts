import { type Learner, type PublishedRelease, isReleased } from '@lyceum/contracts';
import type { LessonOutline, Outline } from './outline.ts';

/** A published lesson in the order of its course. */
export interface CourseLesson extends LessonOutline {
  readonly id: string;
  /** All that it waits for: what its section does, and what it does itself. */
  readonly releases: readonly PublishedRelease[];
}

/** How far somebody has got in a course. */
export interface Progress {
  readonly completed: number;
  readonly required: number;
  /** 0 to 100, rounded down: 100 is all. */
  readonly percent: number;
}

/** A course as those who learn find it. */
export interface LearningPath {
  /** null = it never was public. */
  readonly title: string | null;
  readonly lessons: readonly CourseLesson[];
  /** Everybody may read its lessons at any time. */
  readonly open: boolean;
  /** IANA name of the time zone that days are counted in. */
  readonly timezone: string;
}

/** The published lessons of an outline, in order. */
export const lessonsOf = ({ sections }: Outline): readonly CourseLesson[] =>
  sections.flatMap(({ release, lessons }) =>
    lessons.flatMap(({ id, outline }) => (outline ? { ...outline, id, releases: [release, outline.release] } : [])),
  );

/** What completing a course needs: its required lessons; all of them where none is required. */
function countedLessons({ lessons }: Pick<LearningPath, 'lessons'>): readonly CourseLesson[] {
  const required = lessons.filter((lesson) => lesson.required);
  return required.length > 0 ? required : lessons;
}

/** How far somebody who has completed these lessons has got. A course without lessons is never completed. */
export function progressIn(path: Pick<LearningPath, 'lessons'>, done: ReadonlySet<string>): Progress {
  const counted = countedLessons(path);
  const [completed, required] = [counted.filter(({ id }) => done.has(id)).length, counted.length];
  return { completed, required, percent: required === 0 ? 0 : Math.floor((100 * completed) / required) };
}

/** Whether a lesson is open to a learner now: what the catalog shows them of it follows the same rule. */
export const isOpen = (
  { open, timezone }: Pick<LearningPath, 'open' | 'timezone'>,
  { preview, releases }: CourseLesson,
  learner: Omit<Learner, 'timezone'>,
  now: string,
): boolean => open || preview || releases.every((release) => isReleased(release, { ...learner, timezone }, now));

/** The first lesson that a learner may learn now and has not completed. */
export const nextLesson = (
  path: LearningPath,
  learner: Omit<Learner, 'timezone'>,
  now: string,
): CourseLesson | undefined =>
  path.lessons.find((lesson) => !learner.completed.has(lesson.id) && isOpen(path, lesson, learner, now));

/** Whether only a passed attempt completes the lesson: of a quiz. A pass mark of any other lesson means nothing. */
export const needsAttempt = ({ type }: Pick<CourseLesson, 'type'>): boolean => type === 'quiz';
