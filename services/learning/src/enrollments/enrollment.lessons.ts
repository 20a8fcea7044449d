import { type Rejection, isRejection, reject } from '@lyceum/kernel';
import { type CourseLesson, type LearningPath, isOpen, needsAttempt, progressIn } from '../courses/learning-path.ts';
import { accessPeriod } from '../grants/grant.ts';
import type { EnrollmentEvent } from './enrollment.events.ts';
import { type Enrollment, type EnrollmentState, completedLessons } from './enrollment.state.ts';

/** A lesson of the course as it is now. */
interface OfLesson {
  readonly lesson_id: string;
  readonly path: LearningPath;
  /** Where in the lesson the member is, seconds. Left out: as before. */
  readonly position_s?: number | undefined;
}

/** What can be asked about what a member learns. */
export type LessonCommand =
  | ({ readonly type: 'StartLesson' } & OfLesson)
  /** `passed`: by an attempt that passed, which is the only way to complete some lessons. */
  | ({ readonly type: 'CompleteLesson'; readonly passed: boolean } & OfLesson)
  /** Notices that the course asks for no more than what is completed. */
  | { readonly type: 'NoticeCompletion'; readonly path: LearningPath }
  | { readonly type: 'ResetProgress' };

type Asked<Command> = Command & { readonly now: string };
type Code = 'not_found' | 'invalid_state' | 'locked_lesson' | 'not_entitled';
type Decision = readonly EnrollmentEvent[] | Rejection<Code>;

/** The lesson, and what follows from who asks for it. */
interface Reached {
  readonly state: Enrollment;
  readonly lesson: CourseLesson;
  /** What every event about it says. */
  readonly about: { readonly member_id: string; readonly course_id: string; readonly lesson_id: string };
}

/** The lesson when the member may learn it now. What was completed stays reachable, whatever it waits for since. */
function reached({ lesson_id, path, now }: Asked<OfLesson>, state: EnrollmentState): Reached | Rejection<Code> {
  const period = state && accessPeriod(state, now);
  if (!period) return reject('not_entitled', 'There is no access to the course now');
  const lesson = path.lessons.find(({ id }) => id === lesson_id);
  if (!lesson) return reject('not_found', 'The course has no such lesson');
  const completed = completedLessons(state);
  if (!completed.has(lesson_id) && !isOpen(path, lesson, { ...period, started_at: period.starts_at, completed }, now))
    return locked(lesson, completed);
  const { member_id, course_id } = state;
  return { state, lesson, about: { member_id, course_id, lesson_id } };
}

/** Says what a lesson waits for: a lesson, by its id, or a time. */
function locked({ releases }: CourseLesson, completed: ReadonlySet<string>): Rejection<Code> {
  const awaited = releases.flatMap(({ lesson_id }) => (lesson_id && !completed.has(lesson_id) ? lesson_id : []));
  const details = awaited.map((id) => ({ path: 'lesson', code: 'waits_for_lesson', message: `waits for ${id}` }));
  return awaited.length > 0
    ? reject('locked_lesson', 'The lesson opens when another lesson is completed', details)
    : reject('locked_lesson', 'The lesson opens later');
}

/** Seconds by which a position must move to be kept: half a minute, in lessons of more than a quarter of an hour a thirtieth. */
const step = ({ duration_s }: CourseLesson): number => Math.max(30, duration_s / 30);

/** That the member is elsewhere in the lesson now, where that is worth an event: players say so every few seconds. */
function moved({ state, lesson, about }: Reached, position_s: number | undefined): readonly EnrollmentEvent[] {
  if (position_s === undefined) return [];
  const kept = state.lessons[lesson.id]?.position_s ?? 0;
  return Math.abs(position_s - kept) < step(lesson)
    ? []
    : [{ type: 'LessonPositionKept', data: { ...about, position_s } }];
}

/** That all is completed that the course asks for: with the last lesson, or after the course asks for less. */
function whole(state: Enrollment, path: LearningPath, done: ReadonlySet<string>): readonly EnrollmentEvent[] {
  const { required, percent } = progressIn(path, done);
  if (state.completed_at !== null || percent < 100) return [];
  const { member_id, course_id } = state;
  return [{ type: 'EnrollmentCompleted', data: { member_id, course_id, required } }];
}

/** Begins a lesson, or goes on with it. */
export function start(command: Asked<{ readonly type: 'StartLesson' } & OfLesson>, state: EnrollmentState): Decision {
  const found = reached(command, state);
  if (isRejection(found)) return found;
  const { position_s, path } = command;
  const begun: readonly EnrollmentEvent[] = found.state.lessons[command.lesson_id]
    ? moved(found, position_s)
    : [{ type: 'LessonStarted', data: { ...found.about, position_s: position_s ?? null } }];
  return [...begun, ...whole(found.state, path, completedLessons(found.state))];
}

/** Completes a lesson; what was completed stays completed. */
export function complete(
  command: Asked<{ readonly type: 'CompleteLesson'; readonly passed: boolean } & OfLesson>,
  state: EnrollmentState,
): Decision {
  const found = reached(command, state);
  if (isRejection(found)) return found;
  const { lesson_id, passed, position_s, path } = command;
  const known = found.state.lessons[lesson_id];
  if (known?.completed_at) return start({ ...command, type: 'StartLesson' }, state);
  if (needsAttempt(found.lesson) && !passed)
    return reject('invalid_state', 'This lesson is completed by passing its quiz');
  const done = new Set([...completedLessons(found.state), lesson_id]);
  const data = { ...found.about, position_s: position_s ?? null };
  return [
    ...(known ? [] : [{ type: 'LessonStarted', data } as const]),
    { type: 'LessonCompleted', data: { ...data, ...progressIn(path, done) } },
    ...whole(found.state, path, done),
  ];
}

/** Completes the course for a member who has done all that it asks for, with access or without. */
export const noticeCompletion = (
  { path }: { readonly type: 'NoticeCompletion'; readonly path: LearningPath },
  state: EnrollmentState,
): Decision => (state ? whole(state, path, completedLessons(state)) : []);

/** Lets the member begin anew. */
export function reset(_command: { readonly type: 'ResetProgress' }, state: EnrollmentState): Decision {
  if (!state) return reject('not_found', 'There is no such enrollment');
  const { member_id, course_id, lessons, completed_at } = state;
  if (Object.keys(lessons).length === 0 && completed_at === null) return [];
  return [{ type: 'ProgressReset', data: { member_id, course_id } }];
}
