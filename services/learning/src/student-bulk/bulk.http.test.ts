import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Learning, courseIds, memberToken, startLearning } from '../testing.ts';

let learning: Learning;
beforeAll(async () => void (learning = await startLearning()));
afterAll(() => learning.close());

const ids = (...names: string[]) => names.map((name) => `account_${name}`);
const bulk = (what: 'enroll' | 'revoke', body: object, headers: Record<string, string> = {}) =>
  learning.call('POST', `/api/students/bulk-${what}`, { body, headers });
const outcomes = ({ results }: { results: { member_id: string; outcome: string; code: string | null }[] }) =>
  results.map(({ member_id, outcome, code }) => [member_id.replace('account_', ''), outcome, code]);

describe('enrolling many members', () => {
  test('tells of each what came of it, in order; to repeat it changes nothing', async () => {
    await learning.enroll('other', 'paid');
    const member_ids = ids('member', 'nobody', 'other', 'erased', 'elsewhere', 'enrolled');
    const { status, body } = await bulk('enroll', { member_ids, course_id: courseIds.paid });
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: 'bulk_result', course_id: courseIds.paid, done: 2, unchanged: 1, refused: 3 });
    expect(outcomes(body)).toEqual([
      ['member', 'done', null],
      ['nobody', 'refused', 'not_found'],
      ['other', 'unchanged', 'already_granted'],
      ['erased', 'refused', 'erased'],
      ['elsewhere', 'refused', 'not_found'],
      ['enrolled', 'done', null],
    ]);
    const path = `/api/students/account_member/enrollments/${body.results[0].enrollment_id}`;
    expect((await learning.call('GET', path)).body.grants).toHaveLength(1);
    const again = await bulk('enroll', { member_ids, course_id: courseIds.paid });
    expect(again.body).toMatchObject({ done: 0, unchanged: 3, refused: 3 });
    expect((await learning.call('GET', path)).body.grants).toHaveLength(1);
  });

  test('with the same Idempotency-Key the answer is the same', async () => {
    const sent = { member_ids: ids('member', 'enrolled'), course_id: courseIds.limited };
    const headers = { 'idempotency-key': 'bulk-once' };
    const [first, again] = [await bulk('enroll', sent, headers), await bulk('enroll', sent, headers)];
    expect(first.body).toMatchObject({ done: 2 });
    expect(again.body).toEqual(first.body);
    const other = await bulk('enroll', { ...sent, expires_at: null }, headers);
    expect(other.body.error).toBe('idempotency_key_reused');
  });

  test('gives access until the time that is said', async () => {
    const expires_at = '2126-01-01T00:00:00.000Z';
    const { body } = await bulk('enroll', { member_ids: ids('other'), course_id: courseIds.free, expires_at });
    const path = `/api/students/account_other/enrollments/${body.results[0].enrollment_id}`;
    expect((await learning.call('GET', path)).body).toMatchObject({ state: 'active', expires_at });
  });

  test.each([
    ['a course that does not exist', { member_ids: ids('member'), course_id: courseIds.none }, 'validation_failed'],
    ['an archived course', { member_ids: ids('member'), course_id: courseIds.archived }, 'invalid_state'],
    ['nobody', { member_ids: [], course_id: courseIds.free }, 'validation_failed'],
    ['somebody twice', { member_ids: ids('member', 'member'), course_id: courseIds.free }, 'validation_failed'],
    [
      'more than 500',
      { member_ids: Array.from({ length: 501 }, (_, at) => `account_${at}`), course_id: courseIds.free },
      'validation_failed',
    ],
    [
      'an end in the past',
      { member_ids: ids('member'), course_id: courseIds.free, expires_at: '2020-01-01T00:00:00Z' },
      'validation_failed',
    ],
  ])('is refused as a whole for %s', async (_, body, error) => {
    expect((await bulk('enroll', body)).body.error).toBe(error);
  });

  test('500 members take one request, and each has one grant', async () => {
    const all = Array.from({ length: 500 }, (_, at) => `account_many${at}`);
    for (const member_id of all)
      await learning.publish('school', { type: 'MemberJoined', data: { member_id, role: 'member' } });
    await learning.settled();
    const { body } = await bulk('enroll', { member_ids: all, course_id: courseIds.limited });
    expect(body).toMatchObject({ done: 500, unchanged: 0, refused: 0 });
    expect(body.results.map(({ member_id }: { member_id: string }) => member_id)).toEqual(all);
  });
});

describe('taking back what the staff gave many members', () => {
  test('tells whether access remains, and leaves what came from elsewhere', async () => {
    await learning.call('POST', '/api/account/enrollments', {
      as: memberToken('member'),
      body: { course_id: courseIds.free },
    });
    const course_id = courseIds.free;
    await bulk('enroll', { member_ids: ids('member', 'enrolled'), course_id });
    const { body } = await bulk('revoke', { member_ids: ids('member', 'enrolled', 'nobody'), course_id });
    expect(outcomes(body)).toEqual([
      ['member', 'done', null],
      ['enrolled', 'done', null],
      ['nobody', 'refused', 'not_found'],
    ]);
    expect(body.results.map(({ state }: { state: string }) => state)).toEqual(['active', 'lapsed', null]);
    const again = await bulk('revoke', { member_ids: ids('member', 'enrolled'), course_id });
    expect(again.body).toMatchObject({ done: 0, unchanged: 2 });
  });
});
