import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Message } from '@lyceum/channel';
import { writeErasure } from '@lyceum/service';
import type { Got, Sent } from '@lyceum/testkit-service';
import { disagreements } from '@lyceum/web';
import { FakeSchool, type Learning, courseIds, memberToken, startLearning } from '../testing.ts';
import { attemptRejections } from './quiz.attempting.ts';

let learning: Learning;
beforeAll(async () => void (learning = await startLearning()));
afterAll(() => learning.close());

const right = { q1: ['b'], q2: ['c', 'a'], q3: ['a'] };
const wrong = { q1: ['a'], q2: ['b'], q3: [] };
const attemptsAt = (enrollment: string, lesson = 'lesson_exam') =>
  `/api/account/enrollments/${enrollment}/lessons/${lesson}/attempts`;

/** A member who is enrolled, and how they attempt a quiz. */
async function student(
  name: string,
  { course = 'quizzed', on = learning }: { course?: keyof typeof courseIds; on?: Learning } = {},
) {
  const made = await on.enroll(name, course);
  const enrollment: string = made.body.id;
  const as = memberToken(name);
  const call = (method: string, path: string, sent: Sent = {}) => on.call(method, path, { as, ...sent });
  return {
    enrollment,
    call,
    attempt: (given: object = right, lesson?: string, sent: Sent = {}): Promise<Got> =>
      call('POST', attemptsAt(enrollment, lesson), { body: { answers: given }, ...sent }),
    async list(query = '', lesson?: string) {
      await on.settled();
      return (await call('GET', `${attemptsAt(enrollment, lesson)}${query}`)).body;
    },
    read: async () => (await call('GET', `/api/account/enrollments/${enrollment}`)).body,
    end: () => on.call('DELETE', `/api/students/account_${name}/enrollments/${enrollment}`),
  };
}

/** Members that no other test enrolls. */
let people = 0;
const someone = async (more: Parameters<typeof student>[1] = {}) => {
  const name = `pupil_${(people += 1)}`;
  const { on = learning } = more;
  on.school.join(`account_${name}`);
  await on.publish('school', { type: 'MemberJoined', data: { member_id: `account_${name}`, role: 'member' } });
  await on.settled();
  return { name, ...(await student(name, more)) };
};

describe('an attempt', () => {
  test('rejects with the statuses of the error table', () => expect(disagreements(attemptRejections)).toEqual([]));

  test('that fails tells its score and nothing of what is right; one that passes completes the lesson, in one commit', async () => {
    const { enrollment, attempt, list, read } = await someone();
    const failed = await attempt(wrong);
    expect([failed.status, failed.body]).toMatchObject([
      201,
      { object: 'quiz_attempt', enrollment_id: enrollment, lesson_id: 'lesson_exam', attempt: 1, attempts_left: 2 },
    ]);
    expect(failed.body).toMatchObject({ score: 0, passed: false, pass_mark: 50, quiz_version: 7, view: 'member' });
    expect(failed.body.questions).toEqual([
      { id: 'q1', chosen: ['a'] },
      { id: 'q2', chosen: ['b'] },
      { id: 'q3', chosen: [] },
    ]);
    expect(JSON.stringify((await list()).data)).not.toMatch(/right|correct|member_id/);
    expect((await read()).progress).toMatchObject({ completed: 0, required: 1 });

    const passed = await attempt({ ...right, q3: [] });
    expect(passed.body).toMatchObject({ attempt: 2, score: 66, passed: true });
    expect(passed.body.questions).toEqual([
      { id: 'q1', chosen: ['b'], correct: true, right: ['b'] },
      { id: 'q2', chosen: ['c', 'a'], correct: true, right: ['a', 'c'] },
      { id: 'q3', chosen: [], correct: false, right: ['a'] },
    ]);
    expect(await read()).toMatchObject({ progress: { completed: 1, required: 1, percent: 100 } });
    expect((await read()).completed_at).not.toBeNull();
    const { commits } = await learning.log.load('school_1', [enrollment]);
    const both = commits.filter(({ events }) => events.some(({ type }) => type === 'QuizAttempted'));
    expect(both.map(({ events }) => events.map(({ type }) => type))).toEqual([
      ['QuizAttempted', 'LessonStarted'],
      ['QuizAttempted', 'LessonCompleted', 'EnrollmentCompleted'],
    ]);
    // What is no secret any more is told of the failed one too.
    const shown = (await list()).data;
    expect(shown.map(({ attempt: number }: { attempt: number }) => number)).toEqual([2, 1]);
    expect(shown[1].questions[0]).toEqual({ id: 'q1', chosen: ['a'], correct: false, right: ['b'] });
  });

  test('that is the last tells what is right, and there is no further one', async () => {
    const { attempt, list } = await someone();
    await attempt(wrong);
    expect((await attempt(wrong)).body.questions[0]).toEqual({ id: 'q1', chosen: ['a'] });
    const last = await attempt(wrong);
    expect(last.body).toMatchObject({ attempt: 3, attempts_left: 0, passed: false });
    expect(last.body.questions[0].right).toEqual(['b']);
    expect((await attempt(right)).body.error).toBe('attempts_exhausted');
    expect((await list()).data).toHaveLength(3);
  });

  test('at a quiz without a pass mark completes the lesson, whatever it says, as often as one likes', async () => {
    const { attempt } = await someone();
    for (const number of [1, 2, 3, 4])
      expect((await attempt(wrong, 'lesson_practice')).body).toMatchObject({
        attempt: number,
        attempts_left: null,
        score: 0,
        passed: true,
      });
  });

  test.each<[string, unknown, readonly string[]]>([
    ['a question that there is not', { ...right, q9: [] }, ['answers.q9 unknown_question']],
    ['a choice that there is not', { ...right, q1: ['z'] }, ['answers.q1.0 unknown_choice']],
    ['a question left out', { q1: ['b'] }, ['answers.q2 missing', 'answers.q3 missing']],
    ['a choice twice', { ...right, q1: ['b', 'b'] }, ['answers.q1.1 repeated']],
  ])('422 for %s, which is not counted', async (_, given, faults) => {
    const { attempt } = await someone();
    const { status, body } = await attempt(given as object);
    const details = body.details.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);
    expect([status, details]).toEqual([422, faults]);
    expect((await attempt()).body.attempt).toBe(1);
  });

  test('422 for what are no answers at all', async () => {
    const { call, enrollment } = await someone();
    for (const body of [{}, { answers: [] }, { answers: { q1: 'b' } }, { answers: {}, score: 100 }])
      expect((await call('POST', attemptsAt(enrollment), { body })).status).toBe(422);
  });

  test('409 not_entitled once access has ended, 409 locked_lesson before the lesson opens', async () => {
    const ended = await someone();
    await ended.end();
    expect((await ended.attempt()).body.error).toBe('not_entitled');
    const early = await someone({ course: 'taught' });
    expect((await early.attempt(right, 'lesson_quiz')).body.error).toBe('locked_lesson');
    const film = `/api/account/enrollments/${early.enrollment}/lessons/lesson_film`;
    await early.call('PUT', film, { body: { state: 'completed' } });
    expect((await early.attempt(right, 'lesson_quiz')).status).toBe(201);
  });

  test.each(['lesson_none', 'lesson_film', 'lesson_draft'])(
    '404 where there is no published quiz: %s',
    async (lesson) => {
      const { attempt } = await someone({ course: 'taught' });
      expect((await attempt(right, lesson)).body.error).toBe('not_found');
    },
  );

  test('404 for a quiz of another course, another member’s enrollment, and another school’s', async () => {
    const [one, other] = [await someone(), await someone()];
    expect((await one.attempt(right, 'lesson_quiz')).body.error).toBe('not_found');
    for (const sent of [{ as: memberToken(other.name) }, { as: memberToken(one.name), school: 'school_2' }]) {
      expect((await one.attempt(right, 'lesson_exam', sent)).body.error).toBe('not_found');
      expect((await learning.call('GET', attemptsAt(one.enrollment), sent)).body.error).toBe('not_found');
    }
    for (const id of ['enrollment_x', '..', courseIds.quizzed])
      expect((await one.call('GET', attemptsAt(id))).status).toBe(404);
  });

  test('with the same Idempotency-Key is the same attempt, and the key is not for other answers', async () => {
    const { attempt, list } = await someone();
    const headers = { 'idempotency-key': 'once-and-again' };
    const [first, again] = [
      await attempt(right, 'lesson_exam', { headers }),
      await attempt(right, 'lesson_exam', { headers }),
    ];
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect((await attempt(wrong, 'lesson_exam', { headers })).body.error).toBe('idempotency_key_reused');
    expect((await list()).data).toHaveLength(1);
  });

  test('of 50 at the same time, where three are allowed, exactly three count', async () => {
    const { attempt, list } = await someone();
    const all = await Promise.all(Array.from({ length: 50 }, () => attempt(wrong)));
    const outcomes = all.map(({ status, body }) => (status === 201 ? body.attempt : body.error));
    expect(outcomes.filter((each) => typeof each === 'number').sort()).toEqual([1, 2, 3]);
    expect(outcomes.filter((each) => each === 'attempts_exhausted')).toHaveLength(47);
    expect((await list()).data).toHaveLength(3);
  });

  test('counts anew after a reset of the progress; what was attempted before stays listed', async () => {
    const { name, enrollment, attempt, list, read } = await someone();
    for (let number = 0; number < 3; number += 1) await attempt(wrong);
    const reset = `/api/students/account_${name}/enrollments/${enrollment}/progress-reset`;
    expect((await learning.call('POST', reset)).status).toBe(200);
    const first = await attempt(wrong);
    expect(first.body).toMatchObject({ attempt: 1, attempts_left: 2 });
    expect(first.body.questions[0]).toEqual({ id: 'q1', chosen: ['a'] });
    expect((await attempt(right)).body.attempt).toBe(2);
    expect((await read()).progress.percent).toBe(100);
    const ids = (await list()).data.map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(5);
  });
});

describe('without the catalog', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['is away', () => Promise.reject(new Error('away'))],
    ['is of a release that does not know the question', async () => undefined],
  ])('503 with Retry-After while it %s, and what was attempted can be read', async (_, asked) => {
    let isAway = false;
    const school = new FakeSchool();
    const ask: FakeSchool['answer'] = (service, question) => (isAway ? asked() : school.answer(service, question));
    const own = await startLearning({ school, ports: { ask } });
    try {
      const { attempt, list } = await student('member', { on: own });
      expect((await attempt(wrong)).status).toBe(201);
      isAway = true;
      const { status, headers, body } = await attempt(right);
      expect([status, body.error, headers.get('retry-after')]).toEqual([503, 'temporarily_unavailable', '1']);
      expect((await list()).data).toHaveLength(1);
    } finally {
      await own.close();
    }
  });
});

describe('the right answers', () => {
  test('are in no reply to a member before a pass or the last attempt, however it is asked for', async () => {
    const { name, enrollment, attempt, call } = await someone();
    await attempt(wrong);
    await learning.settled();
    const asked = [
      '',
      '?fields=questions',
      '?fields=questions,member_id,right',
      '?expand=questions',
      '?expand=quiz',
      '?limit=100&sort=created_at',
      '?view=staff',
      '?lesson_id=lesson_exam',
    ];
    const staff = `/api/students/account_${name}/enrollments/${enrollment}/attempts`;
    const replies = [
      ...(await Promise.all(asked.map((query) => call('GET', attemptsAt(enrollment) + query)))),
      await call('GET', staff),
      await learning.call('GET', staff, { as: { role: 'member', subject: `account_${name}` } }),
      await learning.call('GET', attemptsAt(enrollment), { as: { role: 'owner', subject: `account_${name}` } }),
      await learning.call('GET', attemptsAt(enrollment), { as: 'anonymous' }),
      await call('GET', `/api/account/enrollments/${enrollment}`),
      await call('GET', `/api/account/enrollments/${enrollment}/lessons`),
      await attempt({ ...right, q1: ['c'] }),
      await attempt({}),
    ];
    for (const { body } of replies) expect(JSON.stringify(body)).not.toMatch(/"(right|correct|answers)":/);
    // The test can fail: the staff do see them.
    const seen = await learning.call('GET', staff);
    expect(seen.body.data[0]).toMatchObject({ member_id: `account_${name}`, view: 'staff' });
    expect(seen.body.data[0].questions[0]).toEqual({ id: 'q1', chosen: ['a'], correct: false, right: ['b'] });
  });

  test('are not published either', async () => {
    const heard: Message[] = [];
    const subscribed = learning.channel.subscribe({
      consumer: 'test',
      source: 'learning',
      from: async () => 0,
      handle: async (message) => void heard.push(message),
    });
    const { name, enrollment, attempt } = await someone();
    await attempt(right);
    await subscribed.caughtUp();
    const facts = heard.flatMap((message) => message.facts).filter(({ type }) => type === 'QuizAttempted');
    expect(facts.at(-1)?.data).toEqual({
      enrollment_id: enrollment,
      member_id: `account_${name}`,
      course_id: courseIds.quizzed,
      lesson_id: 'lesson_exam',
      attempt: 1,
      score: 100,
      passed: true,
    });
    await subscribed.close();
  });
});

describe('the lists of attempts', () => {
  test('are paged, and of one lesson', async () => {
    const { name, enrollment, attempt, list } = await someone();
    for (let number = 0; number < 3; number += 1) {
      learning.clock.advance(1000);
      await attempt(wrong);
    }
    await attempt(wrong, 'lesson_practice');
    const first = await list('?limit=2');
    expect([first.data.length, first.has_more]).toEqual([2, true]);
    const rest = await list(`?limit=2&cursor=${first.next_cursor}`);
    expect(rest.data.map(({ attempt: number }: { attempt: number }) => number)).toEqual([1]);
    expect((await list('', 'lesson_practice')).data).toHaveLength(1);
    const staff = `/api/students/account_${name}/enrollments/${enrollment}/attempts`;
    expect((await learning.call('GET', staff)).body.data).toHaveLength(4);
    expect((await learning.call('GET', `${staff}?lesson_id=lesson_practice`)).body.data).toHaveLength(1);
  });

  test('have nothing of a member who was erased', async () => {
    const { name, enrollment, attempt } = await someone();
    const made = await attempt(wrong);
    await learning.settled();
    const subject = `account_${name}`;
    await writeErasure(learning.log, {
      school: 'school_1',
      subject,
      meta: { actor: 'system' },
      at: made.body.created_at,
    });
    await learning.settled();
    const { body } = await learning.call('GET', attemptsAt(enrollment), { as: memberToken(name) });
    expect(body.data).toEqual([]);
  });
});
