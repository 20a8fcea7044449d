import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Role } from '@lyceum/contracts';
import { fold } from '@lyceum/eventlog';
import type { ServiceQuery } from '@lyceum/internal-api';
import { memberDecider } from '../members/member.ts';
import { engines } from '../testing/school-service.ts';
import { type Members, startMembers } from '../testing/members.ts';

let all: Members;
let asked: ServiceQuery[];
/** What the media service answers. */
let answer: () => unknown;
beforeEach(async () => {
  asked = [];
  answer = () => ({ upload: uploaded('requested') });
  const ask = async (service: string, question: ServiceQuery) => {
    if (service !== 'media' || !String(question.kind).endsWith('-avatar')) return undefined;
    asked.push(question);
    return answer();
  };
  all = await startMembers(engines(), { ask });
});
afterEach(() => all.close());

const id = 'upload_00000000-0000-7000-8000-000000000001';
const other = 'upload_00000000-0000-7000-8000-000000000002';
const path = '/api/account/avatar';
const body = { content_type: 'image/png', size: 67, sha256: 'a'.repeat(64) };
const target = {
  method: 'PUT',
  url: 'https://loom.example/media/uploads/signed',
  headers: {},
  in_parts: true,
  expires_at: '2026-01-05T08:15:00.000Z',
};
const uploaded = (state: string, of = id) => ({
  id: of,
  state,
  reason: null,
  size: 67,
  received: state === 'requested' ? 0 : 67,
  expires_at: '2026-01-06T08:00:00.000Z',
  upload: state === 'requested' ? target : null,
  purpose: 'avatar',
});

const announce = (as: Role | 'visitor' = 'member', more: object = {}) =>
  all.call('POST', path, { as, body: { ...body, ...more } });
const complete = (of = id, as: Role | 'visitor' = 'member') => all.call('POST', `${path}/${of}/complete`, { as });
const remove = (as: Role | 'visitor' = 'member') => all.call('DELETE', path, { as });
const avatarOf = async (member: string) => (await all.call('GET', `/api/members/${member}`)).body.avatar;
const referencesOf = async (member: string) => {
  const { state } = await fold(all.on.log, memberDecider, all.school, member);
  return state?.avatar_file;
};

describe('/api/account/avatar', () => {
  test('announces the bytes for the member who asks, and says where they go', async () => {
    const got = await announce();
    expect([got.status, got.body]).toEqual([
      201,
      {
        object: 'avatar',
        id,
        state: 'requested',
        reason: null,
        size: 67,
        received: 0,
        expires_at: '2026-01-06T08:00:00.000Z',
        upload: target,
        avatar: null,
        view: 'member',
      },
    ]);
    expect(asked).toMatchObject([
      { kind: 'announce-avatar', school: all.school, member: all.people.member, file: body },
    ]);
    expect(await avatarOf(all.people.member)).toBeNull();
  });

  test('shows what is complete to whoever sees the member, and names the file; the one before is released', async () => {
    answer = () => ({ upload: uploaded('ready') });
    const done = await complete();
    const address = `https://loom.example/media/public/${id}`;
    expect([done.status, done.body]).toMatchObject([200, { state: 'ready', avatar: address, upload: null }]);
    expect(asked).toMatchObject([{ kind: 'complete-avatar', member: all.people.member, upload: id }]);
    expect([await avatarOf(all.people.member), await referencesOf(all.people.member)]).toEqual([address, id]);
    expect(await avatarOf(all.people.lecturer)).toBeNull();
    answer = () => ({ upload: uploaded('ready', other) });
    await complete(other);
    expect(await referencesOf(all.people.member)).toBe(other);
    const ask = { kind: 'avatar-of-member', school: all.school, member: all.people.member };
    expect(await all.schools.started.answer!(ask)).toEqual({ avatar: other });
    expect((await remove()).status).toBe(204);
    expect([await avatarOf(all.people.member), await referencesOf(all.people.member)]).toEqual([null, undefined]);
    expect((await remove()).status).toBe(204);
    expect(await all.schools.started.answer!(ask)).toEqual({ avatar: null });
  });

  test.each(['scanning', 'rejected', 'requested'])(
    'leaves the avatar as it is while the upload is %s',
    async (state) => {
      answer = () => ({ upload: uploaded(state) });
      expect((await complete()).body).toMatchObject({ state, avatar: null });
      expect(await avatarOf(all.people.member)).toBeNull();
    },
  );

  test('says why the media service refuses, and 503 while it does not answer, or answers what nobody understands', async () => {
    answer = () => ({ refused: 'size_mismatch', reason: '0 of 67 bytes have arrived' });
    const refused = await complete();
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { error: 'size_mismatch', error_description: '0 of 67 bytes have arrived' },
    ]);
    const away = () => {
      throw new Error('away');
    };
    for (const each of [() => undefined, () => ({ upload: {} }), away]) {
      answer = each;
      expect((await complete()).body.error).toBe('temporarily_unavailable');
    }
    answer = () => ({ refused: 'no code', reason: 'x' });
    expect((await complete()).status).toBe(500);
  });

  test('refuses what is too large, no image or no digest, and ids of another form', async () => {
    for (const more of [
      { size: 2 * 1024 ** 2 + 1 },
      { size: 0 },
      { content_type: 'image/svg+xml' },
      { sha256: 'x' },
      { filename: 'Ada Byron.png' },
      { purpose: 'cover' },
    ])
      expect((await announce('member', more)).status).toBe(422);
    expect((await complete('course_1')).status).toBe(404);
    expect(asked).toEqual([]);
  });

  test('says when the media service takes an announcement again', async () => {
    answer = () => ({ refused: 'rate_limited', reason: 'At most 10', retry_after: 3_601 });
    const beyond = await announce();
    expect([beyond.status, beyond.body.error]).toEqual([429, 'rate_limited']);
    expect(beyond.headers.get('retry-after')).toBe('3601');
    answer = () => ({ refused: 'quota_exceeded', reason: 'It is full' });
    const full = await announce();
    expect([full.status, full.body.error, full.headers.get('retry-after')]).toEqual([507, 'quota_exceeded', null]);
  });

  test('is everybody’s for themselves and nobody’s without a token, or without being a member', async () => {
    for (const each of [announce, (as: Role | 'visitor') => complete(id, as), remove]) {
      expect((await each('visitor')).body.error).toBe('access_denied');
      answer = () => ({ upload: uploaded('ready') });
      for (const as of ['member', 'lecturer', 'admin', 'owner'] as const)
        expect((await each(as)).status).toBeLessThan(300);
    }
    const subject = 'account_00000000-0000-7000-8000-000000000000';
    expect((await all.call('POST', `${path}/${id}/complete`, { as: 'member', subject })).body.error).toBe('not_found');
    expect((await all.call('DELETE', path, { as: 'member', subject })).body.error).toBe('not_found');
  });
});
