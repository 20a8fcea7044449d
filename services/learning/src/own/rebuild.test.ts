import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Learning, courseIds, fileIds, lessonFact, memberToken, productIds, startLearning } from '../testing.ts';

const people = ['member', 'enrolled', 'other'] as const;
const courses = ['taught', 'free', 'paid', 'limited'] as const;
const lessons = ['lesson_film', 'lesson_extra', 'lesson_late', 'lesson_preview', 'lesson_draft'] as const;

const step = fc.record({
  what: fc.constantFrom(
    ...([
      'enroll',
      'revoke',
      'extend',
      'start',
      'complete',
      'complete',
      'reset',
      'publish',
      'unpublish',
      'later',
      'give',
      'take back',
      'download',
    ] as const),
  ),
  who: fc.constantFrom(...people),
  course: fc.constantFrom(...courses),
  lesson: fc.constantFrom(...lessons),
  required: fc.boolean(),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Does one thing; what is refused changes nothing. */
async function perform(learning: Learning, { what, who, course, lesson, required }: Step) {
  const as = memberToken(who);
  const mine = (await learning.call('GET', `/api/account/enrollments?course_id=${courseIds[course]}`, { as })).body
    .data;
  const id = mine[0]?.id ?? 'enrollment_00000000-0000-0000-0000-000000000000';
  const taught = await learning.call('GET', `/api/account/enrollments?course_id=${courseIds.taught}`, { as });
  const learn = (state: string) =>
    learning.call('PUT', `/api/account/enrollments/${taught.body.data[0]?.id ?? id}/lessons/${lesson}`, {
      as,
      body: { state, position_s: required ? 120 : 60 },
    });
  const staffPath = `/api/students/account_${who}/enrollments/${id}`;
  switch (what) {
    case 'enroll':
      return learning.enroll(who, course);
    case 'revoke':
      return learning.call('DELETE', staffPath);
    case 'extend':
      return learning.call('PATCH', staffPath, { body: { expires_at: null } });
    case 'reset':
      return learning.call('POST', `${staffPath}/progress-reset`);
    case 'start':
    case 'complete':
      return learn(what === 'start' ? 'started' : 'completed');
    case 'publish':
      return learning.publish('catalog', lessonFact('LessonPublished', lesson, { required }));
    case 'unpublish':
      return learning.publish('catalog', {
        type: 'LessonUnpublished',
        data: { course_id: courseIds.taught, lesson_id: lesson },
      });
    case 'give':
      return learning.give(who, 'paid');
    case 'take back':
      return learning.call('DELETE', `/api/students/account_${who}/digital_products/${productIds.paid}`);
    case 'download': {
      const product_id = required ? productIds.limited : productIds.paid;
      return learning.call('POST', '/api/account/downloads', { as, body: { product_id, file_id: fileIds.only } });
    }
    case 'later':
      return learning.clock.advance(86_400_000);
  }
}

/** All that anybody reads of what the service keeps. */
async function read(learning: Learning) {
  await learning.settled();
  const { body: students } = await learning.call('GET', '/api/students?limit=100');
  const own = people.map(async (who) => {
    const as = memberToken(who);
    const { body } = await learning.call('GET', '/api/account/enrollments?limit=100', { as });
    const paths = body.data.map(({ id }: { id: string }) => `/api/account/enrollments/${id}/lessons?limit=100`);
    const { body: downloads } = await learning.call('GET', '/api/account/downloads?limit=100', { as });
    return [
      body,
      downloads,
      await Promise.all(paths.map(async (path: string) => (await learning.call('GET', path, { as })).body)),
    ];
  });
  return JSON.stringify([students, await Promise.all(own)]);
}

test('read models that are built anew from the logs say what they said when they followed', async () => {
  let completed = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40, size: 'max' }), async (steps) => {
      const learning = await startLearning();
      try {
        for (const who of people) await learning.enroll(who, 'taught');
        for (const each of steps) {
          await learning.settled();
          await perform(learning, each);
        }
        const before = await read(learning);
        for (const model of learning.started.readModels ?? []) await model.rebuild();
        completed += before.includes('"state":"completed"') ? 1 : 0;
        return (await read(learning)) === before;
      } finally {
        await learning.close();
      }
    }),
    { numRuns: 6 },
  );
  expect(completed).toBeGreaterThan(1);
}, 120_000);
