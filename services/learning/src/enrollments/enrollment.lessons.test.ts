import { describe, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import type { CourseLesson, LearningPath } from '../courses/learning-path.ts';
import { type Item, type Source, grantId } from '../grants/grant.ts';
import type { EnrollmentEvent } from './enrollment.events.ts';
import { type EnrollmentCommand, enrollmentDecider } from './enrollment.ts';

const day = (number: number): string => new Date(Date.UTC(2026, 0, number)).toISOString();
const enrolled = { member_id: 'account_1', course_id: 'course_1' };
const item: Item = { item_type: 'course', item_id: 'course_1' };
const staff: Source = { source_type: 'staff', source_id: 'commit_1' };

const granted = (expires_at: string | null = null): EnrollmentEvent => ({
  type: 'AccessGranted',
  data: { ...enrolled, grant_id: grantId(staff, item), ...staff, starts_at: day(1), expires_at },
});
const activated: EnrollmentEvent = {
  type: 'EnrollmentActivated',
  data: { ...enrolled, source_type: 'staff', again: false },
};
const revoked: EnrollmentEvent = {
  type: 'AccessRevoked',
  data: { ...enrolled, grant_id: grantId(staff, item), ...staff, reason: 'staff' },
};
const lapsed: EnrollmentEvent = { type: 'EnrollmentLapsed', data: { ...enrolled, reason: 'staff' } };
const active = [granted(), activated] as const;

const lesson = (id: string, more: Partial<CourseLesson> = {}): CourseLesson => ({
  id,
  title: `Title of ${id}`,
  type: 'video',
  duration_s: 600,
  preview: false,
  required: true,
  pass_mark: null,
  release: { type: 'immediate' },
  releases: [],
  ...more,
});
const course = (...lessons: readonly CourseLesson[]): LearningPath => ({
  title: 'Course',
  lessons,
  open: false,
  timezone: 'UTC',
});
const two = course(lesson('a'), lesson('b'), lesson('extra', { required: false }));

const started = (lesson_id: string, position_s: number | null = null): EnrollmentEvent => ({
  type: 'LessonStarted',
  data: { ...enrolled, lesson_id, position_s },
});
const kept = (lesson_id: string, position_s: number): EnrollmentEvent => ({
  type: 'LessonPositionKept',
  data: { ...enrolled, lesson_id, position_s },
});
const completed = (lesson_id: string, done: number, required: number, position_s: number | null = null) =>
  ({
    type: 'LessonCompleted',
    data: {
      ...enrolled,
      lesson_id,
      position_s,
      completed: done,
      required,
      percent: Math.floor((100 * done) / required),
    },
  }) satisfies EnrollmentEvent;
const whole = (required: number): EnrollmentEvent => ({
  type: 'EnrollmentCompleted',
  data: { ...enrolled, required },
});
const cleared: EnrollmentEvent = { type: 'ProgressReset', data: enrolled };

const about = (lesson_id: string, path: LearningPath, now: string, position_s?: number) => ({
  ...enrolled,
  lesson_id,
  path,
  now,
  position_s,
});
const start = (
  id: string,
  path = two,
  { now = day(1), at }: { now?: string; at?: number } = {},
): EnrollmentCommand => ({
  type: 'StartLesson',
  ...about(id, path, now, at),
});
const complete = (
  id: string,
  path = two,
  { now = day(1), at, passed = false }: { now?: string; at?: number; passed?: boolean } = {},
): EnrollmentCommand => ({ type: 'CompleteLesson', passed, ...about(id, path, now, at) });
const reset: EnrollmentCommand = { type: 'ResetProgress', ...enrolled, now: day(1) };

describe('a lesson', () => {
  test('is started once', () => {
    given(enrollmentDecider, ...active)
      .when(start('a'))
      .then(started('a'));
    given(enrollmentDecider, ...active, started('a'))
      .when(start('a'))
      .unchanged();
  });

  test('is completed once, and started with that where it was not', () => {
    given(enrollmentDecider, ...active, started('a'))
      .when(complete('a'))
      .then(completed('a', 1, 2));
    given(enrollmentDecider, ...active)
      .when(complete('a', two, { at: 600 }))
      .then(started('a', 600), completed('a', 1, 2, 600));
    given(enrollmentDecider, ...active, started('a'), completed('a', 1, 2))
      .when(complete('a'))
      .unchanged();
  });

  test('stays completed when it is started again', () =>
    given(enrollmentDecider, ...active, started('a'), completed('a', 1, 2))
      .when(start('a'))
      .unchanged());

  test('keeps a position that has moved by half a minute, or by a thirtieth of a longer lesson', () => {
    const begun = [...active, started('a', 10)] as const;
    for (const at of [10, 39])
      given(enrollmentDecider, ...begun)
        .when(start('a', two, { at }))
        .unchanged();
    given(enrollmentDecider, ...begun)
      .when(start('a', two, { at: 40 }))
      .then(kept('a', 40));
    given(enrollmentDecider, ...begun, kept('a', 300))
      .when(start('a', two, { at: 0 }))
      .then(kept('a', 0));
    const long = course(lesson('a', { duration_s: 3600 }));
    given(enrollmentDecider, ...begun)
      .when(start('a', long, { at: 129 }))
      .unchanged();
    given(enrollmentDecider, ...begun)
      .when(start('a', long, { at: 130 }))
      .then(kept('a', 130));
    given(enrollmentDecider, ...begun, completed('a', 1, 2, 600))
      .when(complete('a', two, { at: 60 }))
      .then(kept('a', 60));
  });

  test('needs access now', () => {
    for (const command of [start('a'), complete('a')]) {
      given(enrollmentDecider, ...active, revoked, lapsed)
        .when(command)
        .rejected('not_entitled');
      given(enrollmentDecider).when(command).rejected('not_entitled');
    }
    given(enrollmentDecider, granted(day(5)), activated)
      .when(complete('a', two, { now: day(5) }))
      .rejected('not_entitled');
  });

  test('must be one that the course has now', () =>
    given(enrollmentDecider, ...active)
      .when(complete('gone'))
      .rejected('not_found'));

  test('is locked until what it waits for, by itself or by its section', () => {
    const waiting = course(
      lesson('a'),
      lesson('b', { releases: [{ type: 'after_lesson', lesson_id: 'a' }] }),
      lesson('late', { releases: [{ type: 'after_days', days: 7 }, { type: 'immediate' }] }),
      lesson('shown', { preview: true, releases: [{ type: 'after_days', days: 7 }] }),
    );
    for (const id of ['b', 'late'])
      for (const command of [start(id, waiting), complete(id, waiting)])
        given(enrollmentDecider, ...active)
          .when(command)
          .rejected('locked_lesson');
    given(enrollmentDecider, ...active, started('a'), completed('a', 1, 4))
      .when(start('b', waiting))
      .then(started('b'));
    given(enrollmentDecider, ...active)
      .when(start('late', waiting, { now: day(8) }))
      .then(started('late'));
    given(enrollmentDecider, ...active)
      .when(start('shown', waiting))
      .then(started('shown'));
    given(enrollmentDecider, ...active)
      .when(start('b', { ...waiting, open: true }))
      .then(started('b'));
  });

  test('that was completed is locked no more, whatever it waits for since', () => {
    const waiting = course(lesson('a'), lesson('b', { releases: [{ type: 'after_lesson', lesson_id: 'a' }] }));
    given(enrollmentDecider, ...active, started('b'), completed('b', 1, 2))
      .when(start('b', waiting, { at: 100 }))
      .then(kept('b', 100));
  });

  test('that has a pass mark and is no quiz is completed as any other: nothing could pass', () => {
    given(enrollmentDecider, ...active)
      .when(complete('a', course(lesson('a', { pass_mark: 50 }), lesson('b'))))
      .then(started('a'), completed('a', 1, 2));
  });

  test('that is a quiz is completed by an attempt that passed only', () => {
    for (const quiz of [
      course(lesson('a', { type: 'quiz' }), lesson('b')),
      course(lesson('a', { type: 'quiz', pass_mark: 50 }), lesson('b')),
    ]) {
      given(enrollmentDecider, ...active)
        .when(start('a', quiz))
        .then(started('a'));
      given(enrollmentDecider, ...active)
        .when(complete('a', quiz))
        .rejected('invalid_state');
      given(enrollmentDecider, ...active)
        .when(complete('a', quiz, { passed: true }))
        .then(started('a'), completed('a', 1, 2));
      given(enrollmentDecider, ...active, started('a'), completed('a', 1, 2))
        .when(complete('a', quiz))
        .unchanged();
    }
  });
});

describe('a course', () => {
  const done = [...active, started('a'), completed('a', 1, 2)] as const;

  test('is completed with the last lesson that counts', () =>
    given(enrollmentDecider, ...done)
      .when(complete('b'))
      .then(started('b'), completed('b', 2, 2), whole(2)));

  test('is not completed by lessons that do not count', () =>
    given(enrollmentDecider, ...done)
      .when(complete('extra'))
      .then(started('extra'), completed('extra', 1, 2)));

  test('of which no lesson is required counts all of them', () => {
    const free = course(lesson('a', { required: false }), lesson('b', { required: false }));
    given(enrollmentDecider, ...done)
      .when(complete('b', free))
      .then(started('b'), completed('b', 2, 2), whole(2));
  });

  test('that asks for less since is completed with whatever is learnt next', () => {
    const less = course(lesson('a'), lesson('extra', { required: false }));
    given(enrollmentDecider, ...done)
      .when(start('extra', less))
      .then(started('extra'), whole(1));
    given(enrollmentDecider, ...done)
      .when(complete('a', less))
      .then(whole(1));
  });

  test('that asks for less since is noticed to be completed, with access or without, and once', () => {
    const less = course(lesson('a'));
    const notice = (path: LearningPath): EnrollmentCommand => ({
      type: 'NoticeCompletion',
      ...enrolled,
      path,
      now: day(2),
    });
    given(enrollmentDecider, ...done)
      .when(notice(less))
      .then(whole(1));
    given(enrollmentDecider, ...done, revoked, lapsed)
      .when(notice(less))
      .then(whole(1));
    given(enrollmentDecider, ...done, whole(1))
      .when(notice(less))
      .unchanged();
    for (const path of [two, course()])
      given(enrollmentDecider, ...done)
        .when(notice(path))
        .unchanged();
    given(enrollmentDecider).when(notice(less)).unchanged();
  });

  test('that asks for more since stays completed, and is completed once', () => {
    const more = course(lesson('a'), lesson('b'), lesson('c'));
    const all = [...done, started('b'), completed('b', 2, 2), whole(2)] as const;
    given(enrollmentDecider, ...all)
      .when(complete('c', more))
      .then(started('c'), completed('c', 3, 3));
  });

  test('keeps what was completed when access ends and comes back', () => {
    const back = [...done, revoked, lapsed] as const;
    given(enrollmentDecider, ...back)
      .when(complete('b'))
      .rejected('not_entitled');
    const second: Source = { source_type: 'staff', source_id: 'commit_2' };
    const again: EnrollmentEvent = {
      type: 'AccessGranted',
      data: { ...enrolled, grant_id: grantId(second, item), ...second, starts_at: day(1), expires_at: null },
    };
    given(enrollmentDecider, ...back, again, activated)
      .when(complete('b'))
      .then(started('b'), completed('b', 2, 2), whole(2));
  });
});

describe('a reset', () => {
  const all = [...active, started('a'), completed('a', 1, 1), whole(1)] as const;
  const one = course(lesson('a'));

  test('begins anew, and the course is completed again', () => {
    given(enrollmentDecider, ...all)
      .when(reset)
      .then(cleared);
    given(enrollmentDecider, ...all, cleared)
      .when(complete('a', one))
      .then(started('a'), completed('a', 1, 1), whole(1));
  });

  test('of nothing changes nothing, and needs no access', () => {
    given(enrollmentDecider, ...active)
      .when(reset)
      .unchanged();
    given(enrollmentDecider, ...all, cleared)
      .when(reset)
      .unchanged();
    given(enrollmentDecider, ...all, revoked, lapsed)
      .when(reset)
      .then(cleared);
    given(enrollmentDecider).when(reset).rejected('not_found');
  });
});
