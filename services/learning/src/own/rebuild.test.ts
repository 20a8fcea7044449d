import { expect, test } from '@jest/globals';
import { isoTime } from '@lyceum/kernel';
import { writeErasure } from '@lyceum/service';
import { expectRebuiltAlike } from '@lyceum/testkit-service';
import fc from 'fast-check';
import { learning as module } from '../module.ts';
import {
  type Learning,
  courseIds,
  fileIds,
  importOver,
  lessonFact,
  memberToken,
  productIds,
  startLearning,
} from '../testing.ts';

const people = ['member', 'enrolled', 'other'] as const;
const courses = ['taught', 'free', 'paid', 'limited', 'quizzed', 'seats'] as const;
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
      'pass',
      'pass',
      'import',
      'erase',
      'later',
      'give',
      'take back',
      'download',
      'plan',
      'subscribe',
      'unsubscribe',
    ] as const),
  ),
  who: fc.constantFrom(...people),
  course: fc.constantFrom(...courses),
  lesson: fc.constantFrom(...lessons),
  required: fc.boolean(),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const first = { who: 'member', course: 'quizzed', lesson: 'lesson_film', required: true } as const;

/** Leads to a certificate, an import, somebody who is erased, and one who has a seat. */
const example: readonly Step[] = [
  { ...first, what: 'enroll' },
  { ...first, what: 'pass' },
  { ...first, what: 'import', who: 'enrolled' },
  { ...first, what: 'complete' },
  { ...first, what: 'give' },
  { ...first, what: 'erase', who: 'other' },
  { ...first, what: 'enroll', who: 'enrolled', course: 'seats' },
  { ...first, what: 'plan' },
  { ...first, what: 'subscribe' },
];

/** Everybody is in the course that has lessons. */
async function start() {
  const learning = await startLearning();
  for (const who of people) await learning.enroll(who, 'taught');
  return learning;
}

/** Passes the exam of the course that is completed by it. */
async function pass(learning: Learning, who: string, enrollment: string) {
  const body = { answers: { q1: ['b'], q2: ['a', 'c'], q3: ['a'] } };
  const path = `/api/account/enrollments/${enrollment}/lessons/lesson_exam/attempts`;
  return learning.call('POST', path, { as: memberToken(who), body });
}

async function importStudent(learning: Learning, email: string, course: string) {
  const rows = [{ email, course_ids: [course] }];
  const { status, body } = await learning.call('POST', '/api/student_imports', { body: { rows } });
  return status === 202 && importOver(learning, body.id);
}

/** As the process does that carries out erasures. */
async function erase(learning: Learning, subject: string) {
  const school = 'school_1';
  await learning.vault.destroy(school, subject);
  await writeErasure(learning.log, { school, subject, meta: { actor: 'system' }, at: isoTime(learning.clock.now()) });
  await learning.publish('school', {
    type: 'MemberErased',
    data: { member_id: subject, tokens_not_before: isoTime(learning.clock.now()) },
  });
}

/** Does something to the course that has lessons. */
const teach = (learning: Learning, what: 'publish' | 'unpublish', lesson_id: string, required: boolean) =>
  learning.publish(
    'catalog',
    what === 'publish'
      ? lessonFact('LessonPublished', lesson_id, { required })
      : { type: 'LessonUnpublished', data: { course_id: courseIds.taught, lesson_id } },
  );

/** Downloads a digital product. */
function download(learning: Learning, who: string, product: 'limited' | 'paid') {
  const body = { product_id: productIds[product], file_id: fileIds.only };
  return learning.call('POST', '/api/account/downloads', { as: memberToken(who), body });
}

/** The plan of everybody opens a course, or all there are. */
function setPlan(learning: Learning, course: string, all: boolean) {
  const courses = all ? 'all' : [course];
  const grants = { courses, digital_products: 'all', posts: false, event_discount_percent: 0 };
  const every = ['course', 'digital_product'].map((item_type) => ({ item_type, item_id: null }));
  const data = { plan_id: 'plan_1', plan_version: 1, grants, added: every, removed: every, keep_existing: all };
  return learning.publish('commerce', { type: 'PlanGrantsChanged', data });
}

/** A member's subscription begins, or ends; each begins once. */
function subscribe(learning: Learning, who: string, type: 'SubscriptionStarted' | 'SubscriptionCanceled') {
  const about = { subscription_id: `subscription_${who}`, member_id: `account_${who}`, plan_id: 'plan_1' };
  return learning.publish('commerce', { type, data: { ...about, plan_version: 1, access: 1 } });
}

/** What is refused changes nothing. */
async function perform(learning: Learning, { what, who, course, lesson, required }: Step) {
  const as = memberToken(who);
  const idIn = async (name: typeof course): Promise<string> => {
    const { body } = await learning.call('GET', `/api/account/enrollments?course_id=${courseIds[name]}`, { as });
    return body.data[0]?.id ?? 'enrollment_00000000-0000-0000-0000-000000000000';
  };
  const staffPath = async () => `/api/students/account_${who}/enrollments/${await idIn(course)}`;
  switch (what) {
    case 'enroll':
      return learning.enroll(who, course);
    case 'revoke':
      return learning.call('DELETE', await staffPath());
    case 'extend':
      return learning.call('PATCH', await staffPath(), { body: { expires_at: null } });
    case 'reset':
      return learning.call('POST', `${await staffPath()}/progress-reset`);
    case 'start':
    case 'complete': {
      const body = { state: what === 'start' ? 'started' : 'completed', position_s: required ? 120 : 60 };
      return learning.call('PUT', `/api/account/enrollments/${await idIn('taught')}/lessons/${lesson}`, { as, body });
    }
    case 'publish':
    case 'unpublish':
      return teach(learning, what, lesson, required);
    case 'pass':
      return pass(learning, who, await idIn('quizzed'));
    case 'import':
      return importStudent(learning, `${who}@example.org`, courseIds[course]);
    case 'erase':
      return required && who === 'other' ? erase(learning, `account_${who}`) : undefined;
    case 'give':
      return learning.give(who, 'paid');
    case 'take back':
      return learning.call('DELETE', `/api/students/account_${who}/digital_products/${productIds.paid}`);
    case 'download':
      return download(learning, who, required ? 'limited' : 'paid');
    case 'plan':
      return setPlan(learning, courseIds[course], required);
    case 'subscribe':
      return subscribe(learning, who, 'SubscriptionStarted');
    case 'unsubscribe':
      return subscribe(learning, who, 'SubscriptionCanceled');
    case 'later':
      return learning.clock.advance(86_400_000);
  }
}

test('projections rebuilt equal live: built anew from the logs they say what they said when they followed', async () => {
  const seen = await expectRebuiltAlike({
    module,
    start,
    step,
    example,
    perform,
    tenants: () => ['school_1'],
  });
  const empty = Object.entries(seen).filter(([, rows]) => Object.keys(rows).length === 0);
  expect(empty.map(([model]) => model)).toEqual([]);
  expect(new Set(Object.values(seen['members'] ?? {}).map(({ status }) => status))).toEqual(
    new Set(['joined', 'erased']),
  );
}, 120_000);
