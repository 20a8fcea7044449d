import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import { type Members, type TestCaller, startMembers } from '../testing/members.ts';
import { notificationDecider } from './notification.ts';

describe('what a member wants mail about', () => {
  test('is everything, until they say otherwise; what is so already is no event', () => {
    given(notificationDecider)
      .when({ type: 'ChooseNotifications', wanted: { replies: false, posts: true } })
      .then({ type: 'NotificationsChosen', data: { replies: false } });
    given(notificationDecider, { type: 'NotificationsChosen', data: { replies: false } })
      .when({ type: 'ChooseNotifications', wanted: { replies: false } })
      .unchanged();
    given(notificationDecider).when({ type: 'ChooseNotifications', wanted: {} }).unchanged();
  });
});

describe('/api/account/notifications', () => {
  let all: Members;
  beforeEach(async () => {
    all = await startMembers();
  });
  afterEach(() => all.close());

  const path = '/api/account/notifications';
  const read = (as: TestCaller = 'member') => all.call('GET', path, { as });
  const choose = (body: unknown, as: TestCaller = 'member', headers?: Record<string, string>) =>
    all.call('PATCH', path, { as, body, ...(headers ? { headers } : {}) });
  const unsaid = { object: 'notifications', view: 'member', lessons: true, replies: true, events: true, posts: true };

  test('is read and changed by each person for themselves', async () => {
    expect((await read()).body).toEqual({ ...unsaid, marketing: false, marketing_since: null });
    expect((await choose({ replies: false })).body).toMatchObject({ replies: false, posts: true });
    expect((await read()).body).toMatchObject({ replies: false, marketing_since: null });
    expect((await read('lecturer')).body).toMatchObject({ replies: true });
  });

  test('notes when mail about offers was allowed or forbidden, for the school as well', async () => {
    const { body } = await choose({ marketing: true, lessons: false });
    const at = '2026-01-05T08:00:00.000Z';
    expect(body).toMatchObject({ marketing: true, marketing_since: at, lessons: false });
    const member = async () => (await all.call('GET', `/api/members/${all.people.member}`)).body.marketing_consent;
    expect(await member()).toEqual({ value: true, at, source: 'account' });
    all.on.clock.advance(60_000);
    await choose({ marketing: true });
    expect((await member()).at).toBe(at);
    await choose({ marketing: false });
    expect(await member()).toEqual({ value: false, at: '2026-01-05T08:01:00.000Z', source: 'account' });
  });

  test('a repeat under the same Idempotency-Key is answered alike and written once', async () => {
    const headers = { 'idempotency-key': 'choice-1' };
    const first = await choose({ marketing: true, posts: false }, 'member', headers);
    const again = await choose({ marketing: true, posts: false }, 'member', headers);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const other = await choose({ posts: true }, 'member', headers);
    expect([other.status, other.body.error]).toEqual([422, 'idempotency_key_reused']);
  });

  test('refuses unknown kinds, and people who are no members', async () => {
    expect((await choose({ smoke: true })).status).toBe(422);
    expect((await choose({ marketing: null })).status).toBe(422);
    const subject = 'account_00000000-0000-7000-8000-000000000000';
    expect((await all.call('GET', path, { as: 'member', subject })).body.error).toBe('not_found');
    expect((await all.call('PATCH', path, { as: 'member', subject, body: {} })).body.error).toBe('not_found');
  });

  test.each([
    ['visitor', 'access_denied'],
    ['other school', 'invalid_token'],
    ['member', 200],
    ['lecturer', 200],
    ['admin', 200],
    ['owner', 200],
  ] as const)('is answered to %s with %s, be it read or changed', async (as, expected) => {
    for (const got of [await read(as), await choose({ replies: false }, as)])
      expect(got.body.error ?? got.status).toBe(expected);
    const [before, own] = [unsaid.replies, (await read()).body.replies];
    expect(own).toBe(as === 'member' ? !before : before);
  });
});
