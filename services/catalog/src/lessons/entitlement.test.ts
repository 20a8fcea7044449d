import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TokenClaims } from '@lyceum/oauth/testing';
import { type Catalog, type Sent, startCatalog } from '../testing.ts';

let catalog: Catalog;
let course: string;
beforeAll(async () => {
  catalog = await startCatalog();
  const made = await catalog.create({ title: 'Lanterns', lecturer_ids: ['lecturer_lecturer'] });
  course = made.id;
  await catalog.call('PATCH', `/api/courses/${course}/lessons/lesson_1`, { body: { body: 'What nobody else reads.' } });
  const late = { section_id: 'section_1', title: 'Late', type: 'text', release: { type: 'after_days', days: 7 } };
  const { body } = await catalog.call('POST', `/api/courses/${course}/lessons`, { body: late });
  await catalog.call('POST', `/api/courses/${course}/lessons/${body.id}/publish`);
  await catalog.call('POST', `/api/courses/${course}/publish`);
});
afterAll(() => catalog.close());

const tokenOf = (subject: string): TokenClaims => ({
  role: 'member',
  subject,
  scopes: ['curriculum:read', 'courses:read'],
});
const now = () => new Date(catalog.clock.now()).toISOString();
const day = 86_400_000;

const grant = (member_id: string, more: object = {}) => ({
  enrollment_id: 'enrollment_1',
  member_id,
  item_type: 'course',
  item_id: course,
  grant_id: 'grant_1',
  source_type: 'staff',
  source_id: 'commit_1',
  ...more,
});

/** The learning service publishes something about a member. */
async function publish(type: string, member: string, more: object = {}, school = 'school_1') {
  const data = {
    AccessGranted: { starts_at: now(), expires_at: null },
    AccessExtended: { expires_at: null },
    AccessRevoked: { reason: 'staff' },
  }[type];
  await catalog.publish('learning', { type, data: grant(member, { ...data, ...more }), school });
  await catalog.settled();
}

/** Titles of the lessons of which somebody reads what they teach. */
async function readable(member: string, sent: Sent = {}): Promise<readonly string[]> {
  const path = `/api/courses/${course}/curriculum`;
  const { body } = await catalog.call('GET', path, { as: tokenOf(member), ...sent });
  const lessons = (body.sections ?? []).flatMap(
    (section: { lessons: { title: string; locked: boolean; body?: unknown }[] }) => section.lessons,
  );
  for (const { locked, ...lesson } of lessons) expect('body' in lesson).toBe(!locked);
  return lessons.flatMap(({ title, locked }: { title: string; locked: boolean }) => (locked ? [] : [title]));
}

describe('what lessons teach', () => {
  test('is read by those who have access, and by nobody else', async () => {
    await publish('AccessGranted', 'acc_enrolled');
    expect(await readable('acc_enrolled')).toEqual(['A lesson']);
    expect(await readable('acc_other')).toEqual([]);
    expect(await readable('', { as: 'anonymous' })).toEqual([]);
    const path = `/api/courses/${course}/lessons/lesson_1`;
    expect((await catalog.call('GET', path, { as: tokenOf('acc_enrolled') })).body.locked).toBe(false);
    expect((await catalog.call('GET', path, { as: tokenOf('acc_other') })).body.locked).toBe(true);
  });

  test('is there in a course that is shown with its curriculum, too', async () => {
    await publish('AccessGranted', 'acc_expanding');
    const path = `/api/courses/${course}?expand=curriculum`;
    const { body } = await catalog.call('GET', path, { as: tokenOf('acc_expanding') });
    expect(body.curriculum.sections[0].lessons[0].locked).toBe(false);
  });

  test('opens days after the access began', async () => {
    await publish('AccessGranted', 'acc_early', { starts_at: new Date(catalog.clock.now() - 7 * day).toISOString() });
    expect(await readable('acc_early')).toEqual(['A lesson', 'Late']);
  });

  test('opens after a lesson once that is completed, and closes when the progress is reset', async () => {
    const after = {
      section_id: 'section_1',
      title: 'After',
      type: 'text',
      release: { type: 'after_lesson', lesson_id: 'lesson_1' },
    };
    const made = await catalog.call('POST', `/api/courses/${course}/lessons`, { body: after });
    const path = `/api/courses/${course}/lessons/${made.body.id}`;
    await catalog.call('POST', `${path}/publish`);
    const learnt = { enrollment_id: 'enrollment_1', member_id: 'acc_learning', course_id: course };
    const completed = { completed: 1, required: 3, percent: 33 };
    const complete = async (lesson_id: string, more: object = {}, school = 'school_1') => {
      const data = { ...learnt, lesson_id, ...completed, ...more };
      await catalog.publish('learning', { type: 'LessonCompleted', data, school });
      await catalog.settled();
    };
    await publish('AccessGranted', 'acc_learning');
    await complete('lesson_other');
    await complete('lesson_1', { member_id: 'acc_other' });
    await complete('lesson_1', { course_id: 'course_other' });
    await complete('lesson_1', {}, 'school_2');
    expect(await readable('acc_learning')).toEqual(['A lesson']);
    await complete('lesson_1');
    await complete('lesson_1');
    expect(await readable('acc_learning')).toEqual(['A lesson', 'After']);
    expect(await readable('acc_other')).toEqual([]);
    // What was completed counts when access comes back.
    await publish('AccessRevoked', 'acc_learning');
    expect(await readable('acc_learning')).toEqual([]);
    await publish('AccessGranted', 'acc_learning', { grant_id: 'grant_2' });
    expect(await readable('acc_learning')).toEqual(['A lesson', 'After']);
    await catalog.publish('learning', { type: 'ProgressReset', data: learnt });
    await catalog.settled();
    expect(await readable('acc_learning')).toEqual(['A lesson']);
    await complete('lesson_1');
    await catalog.publish('learning', { type: 'SubjectErased', data: { subject: 'acc_learning' } });
    await publish('AccessGranted', 'acc_learning', { grant_id: 'grant_3' });
    expect(await readable('acc_learning')).toEqual(['A lesson']);
    await catalog.call('DELETE', path);
  });

  test('is closed again by a revocation, but not while another grant is live', async () => {
    await publish('AccessGranted', 'acc_both');
    await publish('AccessGranted', 'acc_both', { grant_id: 'grant_2' });
    await publish('AccessRevoked', 'acc_both');
    expect(await readable('acc_both')).toEqual(['A lesson']);
    await publish('AccessRevoked', 'acc_both', { grant_id: 'grant_2' });
    expect(await readable('acc_both')).toEqual([]);
  });

  test('is closed when the time is over, without an event, and open as long as it is extended', async () => {
    const expires_at = new Date(catalog.clock.now() + day).toISOString();
    await publish('AccessGranted', 'acc_ending', { expires_at });
    await publish('AccessGranted', 'acc_extended', { expires_at });
    await publish('AccessExtended', 'acc_extended');
    catalog.clock.advance(day);
    expect(await readable('acc_ending')).toEqual([]);
    expect(await readable('acc_extended')).toEqual(['A lesson']);
  });

  test('is not opened by a grant in another school, to something else, or that was revoked before', async () => {
    await publish('AccessGranted', 'acc_none', {}, 'school_2');
    await publish('AccessGranted', 'acc_none', { item_id: 'course_other' });
    await publish('AccessGranted', 'acc_none', { item_type: 'digital_product' });
    await publish('AccessRevoked', 'acc_none', { grant_id: 'grant_2' });
    await publish('AccessExtended', 'acc_none', { grant_id: 'grant_2' });
    expect(await readable('acc_none')).toEqual([]);
  });

  test('has no ETag for members: it changes with their access', async () => {
    const path = `/api/courses/${course}/curriculum`;
    const { headers } = await catalog.call('GET', path, { as: tokenOf('acc_tag') });
    expect(headers.get('etag')).toBeNull();
    await publish('AccessGranted', 'acc_tag');
    const staff = await catalog.call('GET', path);
    const conditional = { 'if-none-match': staff.headers.get('etag')! };
    expect((await catalog.call('GET', path, { as: tokenOf('acc_tag'), headers: conditional })).status).toBe(200);
  });

  test('is forgotten with the person: an erased member has no access', async () => {
    await publish('AccessGranted', 'acc_gone');
    expect(await readable('acc_gone')).toEqual(['A lesson']);
    await catalog.publish('learning', { type: 'SubjectErased', data: { subject: 'acc_gone' } });
    await catalog.settled();
    expect(await readable('acc_gone')).toEqual([]);
  });

  test('is told to the service that keeps what people write about it: who may read it, as of now', async () => {
    const ask = (lesson: string | null, member: string | null, role: string | null = member && 'member') =>
      catalog.started.answer?.({ kind: 'host-of-course', school: 'school_1', course, lesson, member, role, at: now() });
    const closed = { public: false, open: false, manages: false };
    const open = { ...closed, open: true };
    await publish('AccessGranted', 'acc_writing');
    for (const lesson of [null, 'lesson_1']) {
      expect(await ask(lesson, null)).toEqual(closed);
      expect(await ask(lesson, 'acc_other')).toEqual(closed);
      expect(await ask(lesson, 'acc_writing')).toEqual(open);
      expect(await ask(lesson, 'acc_owner', 'owner')).toEqual({ ...open, manages: true });
      expect(await ask(lesson, 'acc_lecturer', 'lecturer')).toEqual({ ...open, manages: true });
      expect(await ask(lesson, 'acc_stranger', 'lecturer')).toEqual(closed);
    }
    expect(await ask('lesson_none', 'acc_writing')).toBeNull();
    const asked = { kind: 'host-of-course', course, lesson: null, member: null, role: null, at: now() };
    expect(await catalog.started.answer?.({ ...asked, school: 'school_2' })).toBeNull();
    const path = `/api/courses/${course}/lessons/lesson_1`;
    await catalog.call('PATCH', path, { body: { preview: true } });
    expect(await ask('lesson_1', null)).toEqual({ ...open, public: true });
    expect(await ask(null, null)).toEqual(closed);
    await catalog.call('PATCH', path, { body: { preview: false } });
    await publish('AccessRevoked', 'acc_writing');
    expect(await ask('lesson_1', 'acc_writing')).toEqual(closed);
  });

  test('stays with those who have access when the course is public no longer, and is 404 for others', async () => {
    await publish('AccessGranted', 'acc_kept');
    await catalog.call('POST', `/api/courses/${course}/unpublish`);
    expect(await readable('acc_kept')).toEqual(['A lesson']);
    const path = `/api/courses/${course}/curriculum`;
    for (const as of ['anonymous', tokenOf('acc_other')] as const)
      expect((await catalog.call('GET', path, { as })).status).toBe(404);
    await publish('AccessRevoked', 'acc_kept');
    expect((await catalog.call('GET', path, { as: tokenOf('acc_kept') })).status).toBe(404);
  });
});
