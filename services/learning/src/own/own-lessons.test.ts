import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Message } from '@lyceum/channel';
import { until } from '@lyceum/testkit';
import { disagreements } from '@lyceum/web';
import { enrollmentRejections } from '../enrollments/enrollment.write.ts';
import { type Learning, courseIds, lessonFact, memberToken, startLearning } from '../testing.ts';

const day = 86_400_000;
const course_id = courseIds.taught;

/** A member in the course that has lessons, and what they do there. */
async function learner(learning: Learning, name: string, more: object = {}) {
  const { body: enrollment } = await learning.enroll(name, 'taught', more);
  const as = memberToken(name);
  const path = `/api/account/enrollments/${enrollment.id}`;
  const put = (lesson: string, body: object) => learning.call('PUT', `${path}/lessons/${lesson}`, { as, body });
  return {
    id: String(enrollment.id),
    path,
    as,
    put,
    staffPath: `/api/students/account_${name}/enrollments/${enrollment.id}`,
    complete: (lesson: string) => put(lesson, { state: 'completed' }),
    read: async () => (await learning.call('GET', path, { as })).body,
    states: async () => {
      const { body } = await learning.call('GET', `${path}/lessons?limit=100`, { as });
      return Object.fromEntries(
        body.data.map(({ id, state }: { id: string; state: string }) => [id.replace('lesson_', ''), state]),
      );
    },
  };
}

describe('learning', () => {
  let learning: Learning;
  beforeAll(async () => void (learning = await startLearning()));
  afterAll(() => learning.close());

  test('rejects with the statuses of the error table', () => expect(disagreements(enrollmentRejections)).toEqual([]));

  test('goes from locked to completed, in the order of the course, and opens what waits', async () => {
    const own = await learner(learning, 'member');
    expect(Object.entries(await own.states())).toEqual([
      ['film', 'available'],
      ['extra', 'available'],
      ['late', 'locked'],
      ['quiz', 'locked'],
      ['after', 'locked'],
      ['preview', 'available'],
    ]);
    const started = await own.put('lesson_film', { state: 'started', position_s: 95 });
    expect([started.status, started.body]).toMatchObject([
      200,
      {
        id: 'lesson_film',
        object: 'learnt_lesson',
        enrollment_id: own.id,
        course_id,
        state: 'started',
        position_s: 95,
        completed_at: null,
        progress: { completed: 0, required: 5, percent: 0 },
        view: 'member',
      },
    ]);
    const done = await own.complete('lesson_film');
    expect(done.body).toMatchObject({
      state: 'completed',
      position_s: 95,
      progress: { completed: 1, required: 5, percent: 20 },
    });
    expect((await own.complete('lesson_film')).body).toEqual(done.body);
    expect((await own.put('lesson_film', { state: 'started' })).body.state).toBe('completed');
    expect(await own.states()).toMatchObject({ film: 'completed', quiz: 'available', after: 'locked' });
    const next = { id: 'lesson_extra', title: 'Title of lesson_extra', type: 'text', duration_s: 0 };
    expect(await own.read()).toMatchObject({ course_title: 'taught', next_lesson: next });
    expect((await own.complete('lesson_extra')).body.progress.percent).toBe(20);
    expect((await own.read()).next_lesson.id).toBe('lesson_quiz');
    expect(await own.states()).toMatchObject({ after: 'available', late: 'locked' });
    expect((await own.complete('lesson_late')).body).toMatchObject({
      error: 'locked_lesson',
      error_description: 'The lesson opens later',
    });
  });

  test('is refused where it is not open, in words', async () => {
    const own = await learner(learning, 'enrolled');
    for (const lesson of ['lesson_quiz', 'lesson_after'])
      expect((await own.put(lesson, { state: 'started' })).body).toMatchObject({
        error: 'locked_lesson',
        error_description: 'The lesson opens when another lesson is completed',
        details: expect.arrayContaining([
          { path: 'lesson', code: 'waits_for_lesson', message: 'waits for lesson_film' },
        ]),
      });
    await own.complete('lesson_film');
    expect((await own.complete('lesson_quiz')).body).toMatchObject({
      error: 'invalid_state',
      error_description: 'This lesson is completed by passing its quiz',
    });
    expect((await own.put('lesson_quiz', { state: 'started' })).body.state).toBe('started');
    for (const lesson of ['lesson_draft', 'lesson_nothing', 'constructor'])
      expect((await own.put(lesson, { state: 'started' })).body.error).toBe('not_found');
    for (const body of [{}, { state: 'locked' }, { state: 'started', position_s: -1 }, { state: 'started', at: 1 }])
      expect((await own.put('lesson_film', body)).body.error).toBe('validation_failed');
  });

  test('of the lapsed is kept, read, and not gone on with', async () => {
    const own = await learner(learning, 'other');
    await own.complete('lesson_film');
    await learning.call('DELETE', own.staffPath);
    expect((await own.complete('lesson_extra')).body.error).toBe('not_entitled');
    expect(await own.states()).toMatchObject({ film: 'completed', extra: 'locked', quiz: 'locked', preview: 'locked' });
    expect(await own.read()).toMatchObject({
      state: 'lapsed',
      progress: { completed: 1, percent: 20 },
      next_lesson: null,
    });
    await learning.enroll('other', 'taught');
    expect((await own.complete('lesson_extra')).status).toBe(200);
  });

  test('is listed page by page, and a cursor is good for this list only', async () => {
    const as = memberToken('member');
    const { body: all } = await learning.call('GET', '/api/account/enrollments', { as });
    const path = `/api/account/enrollments/${all.data[0].id}/lessons`;
    const first = (await learning.call('GET', `${path}?limit=4&fields=id,state`, { as })).body;
    expect([first.data.length, first.has_more, Object.keys(first.data[0])]).toEqual([
      4,
      true,
      ['id', 'object', 'state', 'view'],
    ]);
    const rest = await learning.call('GET', `${path}?limit=4&fields=id,state&cursor=${first.next_cursor}`, { as });
    expect(rest.body.data.map(({ id }: { id: string }) => id)).toEqual(['lesson_after', 'lesson_preview']);
    expect(rest.body.has_more).toBe(false);
  });
});

test('drip evaluated across a DST change: a lesson opens days later at the same time of day in the school', async () => {
  const learning = await startLearning({ timezone: 'Europe/Lisbon' });
  try {
    const hour = 3_600_000;
    learning.clock.advance(Date.parse('2026-03-25T12:00:00.000Z') - learning.clock.now());
    const own = await learner(learning, 'member');
    learning.clock.advance(7 * day - hour - 1);
    expect((await own.states())['late']).toBe('locked');
    learning.clock.advance(1);
    expect((await own.states())['late']).toBe('available');
    expect((await own.complete('lesson_late')).status).toBe(200);
  } finally {
    await learning.close();
  }
});

describe('a course that changes', () => {
  let learning: Learning;
  beforeEach(async () => void (learning = await startLearning()));
  afterEach(() => learning.close());

  const say = async (type: string, data: object) => {
    await learning.publish('catalog', { type, data: { course_id, ...data } });
    await learning.settled();
  };

  test('never takes back what was completed: by unpublishing, by removing, by new lessons', async () => {
    const own = await learner(learning, 'member');
    await own.complete('lesson_film');
    await own.complete('lesson_preview');
    expect((await own.read()).progress).toMatchObject({ completed: 2, required: 5, percent: 40 });
    await say('LessonUnpublished', { lesson_id: 'lesson_late' });
    expect((await own.read()).progress).toMatchObject({ completed: 2, required: 4, percent: 50 });
    await say('LessonRemoved', { lesson_id: 'lesson_preview' });
    expect((await own.read()).progress).toMatchObject({ completed: 1, required: 3, percent: 33 });
    expect((await own.complete('lesson_preview')).body.error).toBe('not_found');
    await say('LessonUnpublished', { lesson_id: 'lesson_film' });
    expect(await own.states()).not.toHaveProperty('film');
    // What waits for it stays open to those who had completed it.
    expect(await own.states()).toMatchObject({ quiz: 'available' });
    const film = lessonFact('LessonPublished', 'lesson_film');
    await learning.publish('catalog', film);
    await learning.settled();
    expect(await own.states()).toMatchObject({ film: 'completed' });
    await say('SectionRemoved', { section_id: 'section_last' });
    expect(Object.keys(await own.states())).toEqual(['film', 'extra']);
    expect((await own.read()).progress).toMatchObject({ completed: 1, required: 1, percent: 100 });
  });

  test('is completed for those who have done all that it still asks for, and for nobody else', async () => {
    const [one, other] = [await learner(learning, 'member'), await learner(learning, 'other')];
    await one.complete('lesson_film');
    await other.complete('lesson_preview');
    await learning.settled();
    await say('LessonRemoved', { lesson_id: 'lesson_late' });
    await learning.publish('catalog', lessonFact('LessonChanged', 'lesson_quiz', { required: false }));
    await say('LessonUnpublished', { lesson_id: 'lesson_after' });
    expect((await one.read()).completed_at).toBeNull();
    await say('LessonRemoved', { lesson_id: 'lesson_preview' });
    await until(async () => (await one.read()).completed_at !== null);
    expect(await one.read()).toMatchObject({ completed_at: expect.any(String), progress: { percent: 100 } });
    expect((await other.read()).completed_at).toBeNull();
  });

  test('is completed with what counts, stays so, and asks again after a reset', async () => {
    const own = await learner(learning, 'member');
    await say('SectionRemoved', { section_id: 'section_last' });
    await say('LessonRemoved', { lesson_id: 'lesson_late' });
    expect((await own.complete('lesson_film')).body.progress.percent).toBe(100);
    const { completed_at } = await own.read();
    expect(completed_at).toEqual(expect.any(String));
    learning.clock.advance(1_000);
    await say('LessonAdded', { lesson_id: 'lesson_new', section_id: 'section_first', position: 9 });
    await learning.publish('catalog', lessonFact('LessonPublished', 'lesson_new'));
    await learning.settled();
    expect(await own.read()).toMatchObject({ completed_at, progress: { percent: 50 } });
    await learning.call('DELETE', own.staffPath);
    expect(await own.read()).toMatchObject({ state: 'lapsed', completed_at });
    const reset = await learning.call('POST', `${own.staffPath}/progress-reset`);
    expect([reset.status, reset.body]).toMatchObject([
      200,
      { state: 'lapsed', completed_at: null, progress: { completed: 0, percent: 0 } },
    ]);
    expect((await learning.call('POST', `${own.staffPath}/progress-reset`)).body.version).toBe(reset.body.version);
    const events = (await learning.log.load('school_1', [own.id])).commits.flatMap((commit) => commit.events);
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['LessonCompleted', 'EnrollmentCompleted', 'ProgressReset']),
    );
  });

  test('keeps its lessons in the order that the catalog gives them, and what sections wait for', async () => {
    const own = await learner(learning, 'member');
    await say('CurriculumReordered', {
      tree: [
        { id: 'section_first', lessons: ['lesson_extra', 'lesson_late', 'lesson_draft', 'lesson_film'] },
        { id: 'section_last', lessons: ['lesson_preview', 'lesson_quiz', 'lesson_after'] },
        { id: 'section_late', lessons: [] },
      ],
    });
    expect(Object.entries(await own.states())).toEqual([
      ['extra', 'available'],
      ['late', 'available'],
      ['film', 'available'],
      ['preview', 'available'],
      ['quiz', 'locked'],
      ['after', 'locked'],
    ]);
    await say('SectionReleaseSet', { section_id: 'section_last', release: { type: 'immediate' } });
    await learning.publish(
      'catalog',
      lessonFact('LessonChanged', 'lesson_extra', { release: { type: 'after_days', days: 2 } }),
    );
    await learning.settled();
    expect(await own.states()).toMatchObject({ extra: 'locked', quiz: 'available', after: 'locked' });
    learning.clock.advance(2 * day);
    expect(await own.states()).toMatchObject({ extra: 'available' });
  });

  test('is asked for in lists: as it is now', async () => {
    const own = await learner(learning, 'member');
    await own.complete('lesson_film');
    await learning.settled();
    const { body: list } = await learning.call('GET', '/api/account/enrollments', { as: own.as });
    expect(list.data).toEqual([await own.read()]);
    const { body: student } = await learning.call('GET', '/api/students/account_member');
    expect(student.enrollments[0]).toMatchObject({
      progress: { completed: 1, required: 5, percent: 20, last_activity_at: expect.any(String) },
      completed_at: null,
    });
    expect((await learning.call('GET', own.staffPath)).body.progress).toEqual(student.enrollments[0].progress);
    expect(student.enrollments[0]).not.toHaveProperty('next_lesson');
  });

  test('what others hear: a lesson that was begun, a lesson and a course that were completed, and a progress that counts no more', async () => {
    const heard: Message[] = [];
    const subscribed = learning.channel.subscribe({
      consumer: 'test',
      source: 'learning',
      from: async () => 0,
      handle: async (message) => void heard.push(message),
    });
    const own = await learner(learning, 'member');
    for (const lesson_id of ['lesson_late', 'lesson_quiz', 'lesson_after', 'lesson_preview'])
      await say('LessonRemoved', { lesson_id });
    await own.put('lesson_film', { state: 'started', position_s: 60 });
    await own.complete('lesson_film');
    await learning.call('POST', `${own.staffPath}/progress-reset`);
    await subscribed.caughtUp();
    await subscribed.close();
    const enrolled = { enrollment_id: own.id, member_id: 'account_member', course_id };
    expect(heard.flatMap(({ facts }) => facts).map(({ type, data }) => ({ type, data }))).toMatchObject([
      { type: 'AccessGranted' },
      { type: 'EnrollmentActivated' },
      { type: 'LessonStarted', data: { ...enrolled, lesson_id: 'lesson_film' } },
      {
        type: 'LessonCompleted',
        data: { ...enrolled, lesson_id: 'lesson_film', completed: 1, required: 1, percent: 100 },
      },
      { type: 'EnrollmentCompleted', data: { ...enrolled, required: 1 } },
      { type: 'ProgressReset', data: enrolled },
    ]);
  });
});
