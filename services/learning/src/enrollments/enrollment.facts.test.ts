import { expect, test } from '@jest/globals';
import type { RecordedEvent } from '@lyceum/kernel';
import { enrollmentFact } from './enrollment.facts.ts';

const lesson = { member_id: 'account_1', course_id: 'course_1', lesson_id: 'lesson_1' };

const recorded = (type: string, data: object, stream = 'enrollment_1') =>
  ({ id: 'e1', type, schema: 1, stream, version: 1, at: '2026-01-05T08:00:00.000Z', data }) as unknown as RecordedEvent;

test('other services hear that a lesson was begun, and not where in it the member is', () => {
  expect(enrollmentFact(recorded('LessonStarted', { ...lesson, position_s: 30 }))).toEqual({
    type: 'LessonStarted',
    data: { enrollment_id: 'enrollment_1', ...lesson },
  });
  expect(enrollmentFact(recorded('LessonPositionKept', { ...lesson, position_s: 60 }))).toBeUndefined();
  expect(enrollmentFact(recorded('LessonStarted', { ...lesson, position_s: null }, 'attempt_1'))).toBeUndefined();
});
