import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeErasure } from '@lyceum/service';
import { disagreements } from '@lyceum/web';
import { enrollmentRejections } from '../enrollments/enrollment.write.ts';
import { type Learning, courseIds, memberToken, startLearning } from '../testing.ts';

let learning: Learning;
beforeAll(async () => void (learning = await startLearning()));
afterAll(() => learning.close());

const at = (member: string, enrollment = '') => `/api/students/account_${member}/enrollments${enrollment}`;
const later = '2126-01-01T00:00:00.000Z';

describe('enrolling by the staff', () => {
  test('rejects with the statuses of the error table', () => expect(disagreements(enrollmentRejections)).toEqual([]));

  test('gives access, is read back as of now, extended, and taken back', async () => {
    const made = await learning.enroll('member', 'paid', { expires_at: later });
    expect([made.status, made.headers.get('location')]).toEqual([201, at('member', `/${made.body.id}`)]);
    expect(made.body).toMatchObject({
      object: 'enrollment',
      member_id: 'account_member',
      course_id: courseIds.paid,
      state: 'active',
      expires_at: later,
      grants: [{ source_type: 'staff', state: 'live' }],
      version: 2,
      view: 'staff',
    });
    const path = at('member', `/${made.body.id}`);
    const read = await learning.call('GET', path);
    // What it says changes with the course and with time, without a new version.
    expect([read.body, read.headers.get('etag')]).toEqual([made.body, null]);
    const extended = await learning.call('PATCH', path, { body: { expires_at: null } });
    expect(extended.body).toMatchObject({ expires_at: null, version: 3 });
    const headers = { 'if-match': '"2"' };
    expect((await learning.call('DELETE', path, { headers })).body.error).toBe('precondition_failed');
    const ended = await learning.call('DELETE', path);
    expect([ended.status, ended.body.state, ended.body.starts_at]).toEqual([200, 'lapsed', null]);
    expect((await learning.call('DELETE', path)).body).toEqual(ended.body);
    expect((await learning.call('PATCH', path, { body: { expires_at: null } })).body.error).toBe('invalid_state');
  });

  test('takes back its own grant only, and says that access remains', async () => {
    const own = await learning.call('POST', '/api/account/enrollments', {
      as: memberToken('other'),
      body: { course_id: courseIds.free },
    });
    expect((await learning.enroll('other', 'free')).body.id).toBe(own.body.id);
    const ended = await learning.call('DELETE', at('other', `/${own.body.id}`));
    expect(ended.body.state).toBe('active');
    expect(ended.body.grants.map(({ state }: { state: string }) => state)).toEqual(['live', 'revoked']);
  });

  test('409 already_granted for a second grant; the same Idempotency-Key is the same grant', async () => {
    const headers = { 'idempotency-key': 'once-and-again' };
    const send = () => learning.call('POST', at('enrolled'), { body: { course_id: courseIds.free }, headers });
    const [first, again] = [await send(), await send()];
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect((await learning.enroll('enrolled', 'free')).body.error).toBe('already_granted');
  });

  test('lasts as long as the course says, unless the staff say otherwise', async () => {
    const { body } = await learning.enroll('enrolled', 'limited');
    expect(Date.parse(body.expires_at) - Date.parse(body.starts_at)).toBe(10 * 86_400_000);
    expect((await learning.enroll('other', 'limited', { expires_at: null })).body.expires_at).toBeNull();
  });

  test.each([
    ['a course that does not exist', 'none', {}, 'validation_failed'],
    ['a draft', 'draft', {}, 'validation_failed'],
    ['an archived course', 'archived', {}, 'invalid_state'],
    ['an end in the past', 'free', { expires_at: '2020-01-01T00:00:00Z' }, 'validation_failed'],
    ['an end that is no time', 'free', { expires_at: 'soon' }, 'validation_failed'],
    ['a field that there is not', 'free', { role: 'owner' }, 'validation_failed'],
  ] as const)('is refused for %s', async (_, course, more, error) => {
    expect((await learning.enroll('member', course, more)).body.error).toBe(error);
  });

  test('is possible for an unpublished course and without regard to seats and dates: the staff know', async () => {
    for (const course of ['unpublished', 'seats', 'later'] as const)
      expect((await learning.enroll('member', course)).status).toBe(201);
  });

  test('is refused for nobody, for another school’s member and for an erased one', async () => {
    expect((await learning.enroll('nobody', 'free')).body.error).toBe('not_found');
    expect((await learning.enroll('elsewhere', 'free')).body.error).toBe('not_found');
    expect((await learning.enroll('erased', 'free')).body.error).toBe('erased');
  });

  test('an enrollment of another member is not found under this one', async () => {
    const { body } = await learning.enroll('other', 'paid');
    for (const [method, sent] of [['GET'], ['DELETE'], ['PATCH', { expires_at: null }]] as const) {
      const got = await learning.call(method, at('member', `/${body.id}`), sent ? { body: sent } : {});
      expect(got.body.error).toBe('not_found');
    }
  });
});

describe('the list of students', () => {
  test('is filtered by course and state, and paged', async () => {
    await learning.settled();
    const ids = async (query: string) => {
      const { body } = await learning.call('GET', `/api/students?${query}`);
      return body.data.map(({ id }: { id: string }) => id.replace('account_', ''));
    };
    expect(await ids(`course_id=${courseIds.paid}&state=lapsed`)).toEqual(['member']);
    expect(await ids(`course_id=${courseIds.paid}&state=active`)).toEqual(['other']);
    expect((await ids('state=active')).toSorted()).toEqual(['enrolled', 'member', 'other']);
    expect(await ids('ids=account_other')).toEqual(['other']);
    const { body } = await learning.call('GET', '/api/students?limit=2');
    const rest = await learning.call('GET', `/api/students?limit=2&cursor=${body.next_cursor}`);
    expect([body.data.length, body.has_more, rest.body.data.length]).toEqual([2, true, 1]);
  });

  test('503 when the names cannot be asked for', async () => {
    const ask = async () => Promise.reject(new Error('away'));
    const alone = await startLearning({ ports: { ask } });
    try {
      expect((await alone.enroll('member', 'free')).status).toBe(201);
      await alone.settled();
      expect((await alone.call('GET', '/api/students')).body.error).toBe('temporarily_unavailable');
    } finally {
      await alone.close();
    }
  });
});

describe('a member who is erased', () => {
  test('is a student no more, and neither are their enrollments', async () => {
    const { body } = await learning.enroll('member', 'free');
    await learning.settled();
    expect((await learning.call('GET', '/api/students/account_member')).status).toBe(200);
    const meta = { actor: 'system' };
    await writeErasure(learning.log, { school: 'school_1', subject: 'account_member', meta, at: body.created_at });
    await learning.settled();
    expect((await learning.call('GET', '/api/students/account_member')).status).toBe(404);
    const { body: left } = await learning.call('GET', '/api/account/enrollments', { as: memberToken('member') });
    expect(left.data).toEqual([]);
  });
});

describe('adding a student by e-mail address', () => {
  const add = (body: object, headers: Record<string, string> = {}) =>
    learning.call('POST', '/api/students', { body, headers });

  test('invites who is no member, with access to come, and finds the same person from then on', async () => {
    const made = await add({ email: 'Ada@example.org', name: 'Ada', course_ids: [courseIds.paid, courseIds.limited] });
    expect([made.status, made.headers.get('location')]).toEqual([201, `/api/students/${made.body.id}`]);
    expect(made.body).toMatchObject({ object: 'student', email: 'Ada@example.org', view: 'staff' });
    expect(made.body.enrollments).toMatchObject([
      { course_id: courseIds.paid, state: 'active', expires_at: null },
      { course_id: courseIds.limited, state: 'active' },
    ]);
    const again = await add({ email: 'ada@EXAMPLE.org', course_ids: [courseIds.paid, courseIds.free] });
    expect([again.status, again.body.id]).toEqual([200, made.body.id]);
    await learning.settled();
    const { body } = await learning.call('GET', `/api/students/${made.body.id}`);
    const courses = body.enrollments.map((each: { course_id: string }) => each.course_id);
    expect(courses.toSorted()).toEqual([courseIds.free, courseIds.paid, courseIds.limited].toSorted());
  });

  test('with the same Idempotency-Key it is one person with one grant', async () => {
    const headers = { 'idempotency-key': 'one-person' };
    const sent = { email: 'bob@example.org', course_ids: [courseIds.paid] };
    const [first, second] = [await add(sent, headers), await add(sent, headers)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.enrollments).toEqual(first.body.enrollments);
    const other = await add({ ...sent, email: 'account_member@example.org' }, headers);
    expect(other.body.error).toBe('idempotency_key_reused');
  });

  test('who is invited can be enrolled by id, too', async () => {
    const { body } = await add({ email: 'carl@example.org' });
    expect(body.enrollments).toEqual([]);
    const enrolled = await learning.call('POST', `/api/students/${body.id}/enrollments`, {
      body: { course_id: courseIds.free },
    });
    expect(enrolled.status).toBe(201);
  });

  test.each([
    ['no address', { email: 'nobody' }],
    ['a course that does not exist', { email: 'dora@example.org', course_ids: [courseIds.none] }],
    [
      'an end in the past',
      { email: 'dora@example.org', course_ids: [courseIds.free], expires_at: '2020-01-01T00:00:00Z' },
    ],
  ])('nobody is invited with %s', async (_, body) => {
    const before = learning.school.wishes.size;
    expect((await add(body)).body.error).toBe('validation_failed');
    expect(learning.school.wishes.size).toBe(before);
  });
});
