import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Message } from '@lyceum/channel';
import { until } from '@lyceum/testkit';
import { type Learning, courseIds, memberToken, startLearning } from '../testing.ts';

let learning: Learning;
beforeAll(async () => void (learning = await startLearning()));
afterAll(() => learning.close());

const path = '/api/account/enrollments';
const as = memberToken('member');
const enroll = (course: keyof typeof courseIds, sent: object = {}) =>
  learning.call('POST', path, { as, body: { course_id: courseIds[course] }, ...sent });

describe('enrolling alone', () => {
  test('in a free course gives access at once, and the list has it', async () => {
    const made = await enroll('free');
    expect([made.status, made.headers.get('location')]).toEqual([201, `${path}/${made.body.id}`]);
    expect(made.body).toMatchObject({ course_id: courseIds.free, state: 'active', expires_at: null, view: 'member' });
    expect((await learning.call('GET', `${path}/${made.body.id}`, { as })).body).toEqual(made.body);
    const headers = { prefer: 'wait=5', 'consistency-token': made.headers.get('consistency-token')! };
    const { body } = await learning.call('GET', path, { as, headers });
    expect(body.data).toEqual([made.body]);
    expect((await enroll('free')).body.error).toBe('already_granted');
  });

  test('lasts as long as the course says, and can be repeated then', async () => {
    const first = await enroll('limited');
    learning.clock.advance(10 * 86_400_000);
    const over = await learning.call('GET', `${path}/${first.body.id}`, { as });
    expect(over.body).toMatchObject({ state: 'lapsed', starts_at: null, expires_at: null });
    const again = await enroll('limited');
    expect([again.status, again.body.id, again.body.state]).toEqual([201, first.body.id, 'active']);
  });

  test.each([
    ['is not free', 'paid', 'not_entitled'],
    ['does not exist', 'none', 'validation_failed'],
    ['is a draft', 'draft', 'validation_failed'],
    ['is public no longer', 'unpublished', 'validation_failed'],
    ['was put away', 'archived', 'validation_failed'],
    ['opens later', 'later', 'invalid_state'],
    ['has closed', 'over', 'invalid_state'],
  ] as const)('is refused where the course %s', async (_, course, error) => {
    expect((await enroll(course)).body.error).toBe(error);
  });

  test('follows what the catalog publishes', async () => {
    await learning.publish('catalog', {
      type: 'EnrollmentPeriodSet',
      data: { course_id: courseIds.over, closes_at: null },
    });
    await learning.publish('catalog', { type: 'CourseUnpublished', data: { course_id: courseIds.free } });
    await learning.settled();
    expect((await enroll('over')).status).toBe(201);
    expect((await enroll('free', { as: memberToken('other') })).body.error).toBe('validation_failed');
  });

  test('needs account:write, to be read account:read', async () => {
    const scoped = (scope: 'account:read' | 'account:write') => ({ as: memberToken('other', [scope]) });
    expect((await enroll('limited', scoped('account:read'))).body.error).toBe('insufficient_scope');
    expect((await learning.call('GET', path, scoped('account:write'))).body.error).toBe('insufficient_scope');
  });
});

test('what others hear: grants with all that they need, and that access ended by time', async () => {
  const heard: Message[] = [];
  const own = await startLearning();
  const subscribed = own.channel.subscribe({
    consumer: 'test',
    source: 'learning',
    from: async () => 0,
    handle: async (message) => void heard.push(message),
  });
  const facts = () => heard.flatMap(({ facts: all }) => all.map(({ type, data }) => ({ type, data })));
  try {
    const { body } = await own.enroll('member', 'limited');
    await subscribed.caughtUp();
    const enrolled = { enrollment_id: body.id, member_id: 'account_member' };
    expect(facts()).toMatchObject([
      {
        type: 'AccessGranted',
        data: {
          ...enrolled,
          item_type: 'course',
          item_id: courseIds.limited,
          source_type: 'staff',
          expires_at: body.expires_at,
        },
      },
      { type: 'EnrollmentActivated', data: { ...enrolled, course_id: courseIds.limited, again: false } },
    ]);
    own.clock.advance(10 * 86_400_000);
    await until(() => facts().length >= 3, 'a third fact');
    expect(facts()[2]).toMatchObject({ type: 'EnrollmentLapsed', data: { ...enrolled, reason: 'expired' } });
  } finally {
    await subscribed.close();
    await own.close();
  }
});
