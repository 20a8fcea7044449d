import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type PersonalDataAnswer, personalDataAnswer, personalDataQuery } from '@lyceum/service';
import { setTimeout as delay } from 'node:timers/promises';
import { type Learning, courseIds, memberToken, startLearning } from '../testing.ts';
import { enrollmentStream } from './enrollment.ts';

/** What the service tells of a member, file by file, and how many pages it took. */
async function told(learning: Learning, name: string) {
  const files = new Map<string, PersonalDataAnswer['records']>();
  let pages = 0;
  for (let from: PersonalDataAnswer['next'] | undefined = null; from !== undefined; pages += 1) {
    const question = { kind: personalDataQuery, school: 'school_1', subject: `account_${name}`, from };
    const page = personalDataAnswer.parse(await learning.started.answer!(question));
    files.set(page.file!, [...(files.get(page.file!) ?? []), ...page.records]);
    from = page.next ?? undefined;
  }
  return { files, pages };
}

describe('what the learning service keeps about a person', () => {
  let learning: Learning;
  beforeAll(async () => void (learning = await startLearning()));
  afterAll(() => learning.close());

  test('is the enrollments with what gave them, the progress and the attempts, without the answers that are right', async () => {
    const { body: enrollment } = await learning.enroll('member', 'taught');
    const path = `/api/account/enrollments/${enrollment.id}/lessons`;
    const as = memberToken('member');
    await learning.call('PUT', `${path}/lesson_film`, { as, body: { state: 'completed', position_s: 95 } });
    await learning.call('PUT', `${path}/lesson_extra`, { as, body: { state: 'started' } });
    await learning.enroll('other', 'taught');
    await learning.settled();
    const { files } = await told(learning, 'member');
    expect([...files.keys()]).toEqual(['enrollments', 'progress', 'quiz-attempts', 'certificates', 'digital-products']);
    expect(files.get('enrollments')).toEqual([
      expect.objectContaining({
        id: enrollment.id,
        course_id: courseIds.taught,
        course_title: 'taught',
        state: 'active',
        lessons_completed: 1,
        grants: [expect.objectContaining({ source_type: expect.any(String), revoked: false })],
      }),
    ]);
    expect(files.get('progress')).toEqual([
      expect.objectContaining({ lesson_id: 'lesson_extra', completed_at: null }),
      expect.objectContaining({ lesson_id: 'lesson_film', position_s: 95, completed_at: expect.any(String) }),
    ]);
    expect(JSON.stringify([...files.values()])).not.toMatch(/account_other|"right"/);
    expect((await told(learning, 'nobody')).files.get('enrollments')).toEqual([]);
  });

  test('comes in pages that break within an enrollment, each record once', async () => {
    const lessons = (course: string, from: number, count: number) => ({
      stream: enrollmentStream('account_enrolled', course),
      events: [
        { type: 'EnrollmentActivated', data: { source_type: 'free', again: false } },
        ...Array.from({ length: count }, (_, at) => ({
          type: 'LessonStarted',
          data: { lesson_id: `lesson_${String(from + at).padStart(4, '0')}`, position_s: null },
        })),
      ].map(({ type, data }) => ({
        type,
        schema: 1,
        data: { member_id: 'account_enrolled', course_id: course, ...data },
      })),
    });
    // A page that ends with an enrollment, one in the middle of one, and enrollments in which nothing was learnt.
    const counts = [200, 0, 450, 0, 1, 60];
    for (const [at, count] of counts.entries()) {
      const { stream, events } = lessons(`course_${at}`, at * 1_000, count);
      const event = (each: (typeof events)[number]) => ({ stream, ...each });
      await learning.log.append({
        tenant: 'school_1',
        expectations: [],
        events: events.map(event),
        commitId: `10000000-0000-7000-9000-00000000000${at}`,
        fingerprint: '',
        at: '2026-01-05T08:00:00.000Z',
        meta: { actor: 'system' },
      });
    }
    let { files, pages } = await told(learning, 'enrolled');
    // What is appended behind the service's back, its lists have a moment later.
    for (let left = 200; left > 0 && files.get('enrollments')!.length < counts.length; left -= 1) {
      await delay(10);
      ({ files, pages } = await told(learning, 'enrolled'));
    }
    const ids = files.get('progress')!.map(({ lesson_id }) => lesson_id as string);
    const all = counts.flatMap((count, at) =>
      Array.from({ length: count }, (_, number) => `lesson_${String(at * 1_000 + number).padStart(4, '0')}`),
    );
    expect([ids.length, new Set(ids).size, [...ids].sort()]).toEqual([711, 711, all]);
    expect(files.get('enrollments')).toHaveLength(counts.length);
    expect(pages).toBeLessThan(10);
  });
});
